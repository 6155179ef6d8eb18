/* An output tied to an input by an empty template is a copy.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned x, y;
  unfork_symbolic(&x, sizeof x, "x");
  __asm__("" : "=r"(y) : "0"(x));
  assert(x == y);
  return 0;
}
