/* Both checks in one program, each with its own kind.
   expect: unsafe
   options: --check overflow,shift
   native: asan
   input: x=2147483647 n=0
   input: x=5 n=40 */
#include "unfork.h"

int main(void) {
  int x;
  unsigned n;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_symbolic(&n, sizeof n, "n");
  x += 3; /* BUG: overflow */
  unsigned y = 1u << n; /* BUG: shift */
  return x == 7 && y == 9 ? 0 : 0;
}
