/* The table is one entry short of its index.
   expect: unsafe
   native: asan
   input: x=3 */
#include "unfork.h"

int main(void) {
  static void *const labels[] = {&&a, &&b, &&c};
  unsigned x;
  unfork_symbolic(&x, sizeof x, "x");
  goto *labels[x & 3]; /* BUG: out-of-bounds */
a:
  return 0;
b:
  return 0;
c:
  return 0;
}
