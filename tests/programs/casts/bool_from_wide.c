/* expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include <stdbool.h>
#include "unfork.h"

int main(void) {
  unsigned x;
  unfork_symbolic(&x, sizeof x, "x");
  bool b = x;
  unsigned char byte = (unsigned char)x;
  assert(!byte || b);
  assert(b == !!x);
  assert((int)b + (int)!x == 1);
  return 0;
}
