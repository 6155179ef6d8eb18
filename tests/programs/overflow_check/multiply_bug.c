/* expect: unsafe
   options: --check overflow
   native: asan
   input: n=46341 */
#include "unfork.h"

int main(void) {
  int n;
  unfork_symbolic(&n, sizeof n, "n");
  if (n < 0 || n > 46341) return 0;
  int square = n * n; /* BUG: overflow */
  return square < 0;
}
