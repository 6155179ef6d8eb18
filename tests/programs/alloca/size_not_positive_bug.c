/* A variable-length array has at least one element.
   expect: unsafe
   native: asan
   input: n=-3
   input: n=0 */
#include "unfork.h"

int main(void) {
  int n;
  unfork_symbolic(&n, sizeof n, "n");
  if (n > 8) return 0;
  char array[n]; /* BUG: out-of-bounds */
  array[n - 1] = 1;
  return array[n - 1] - 1;
}
