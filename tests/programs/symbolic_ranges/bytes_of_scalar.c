/* The low half of an int is an input.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned x = 0xabcd1234u;
  unfork_symbolic(&x, 2, "low");
  assert(x >> 16 == 0xabcd);
  assert(x >= 0xabcd0000u);
  return 0;
}
