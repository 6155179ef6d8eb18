/* Unsigned arithmetic wraps and is no fault.
   expect: safe
   paths: 1
   options: --check overflow
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned x;
  unfork_symbolic(&x, sizeof x, "x");
  unsigned y = x * 3 + 7 - x - x - 7;
  assert(y == x);
  unsigned char c = (unsigned char)x;
  c++;
  assert(c == (unsigned char)(x + 1));
  return 0;
}
