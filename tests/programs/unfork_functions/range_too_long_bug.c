/* The range must lie in its object.
   expect: unsafe
   native: none (the native library writes beyond the object) */
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x + 1, "x"); /* BUG: out-of-bounds */
  return x == 3;
}
