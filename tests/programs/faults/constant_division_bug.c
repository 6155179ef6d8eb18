/* A division of constants by zero, which clang folds to a value that C does not define: the fault is still one, and only
   where it is reached. A division by something else beside it is as it was.
   expect: unsafe
   paths: 5
   native: asan
   input: x=1
   input: x=2
   input: x=3
   input: x=4 */
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int k = 12;
  if (x == 1)
    k = 12 / (3 - 3); /* BUG: div-by-zero */
  else if (x == 2)
    k = 7 % (2 - 2); /* BUG: div-by-zero */
  else if (x == 3)
    k = x / (1 == 2 ? x : 0); /* BUG: div-by-zero */
  else if (x == 4)
    return 7 / 0 * 0 + 1 > 5; /* BUG: div-by-zero */
  return k / 3 + (x == 5 ? 1 : 0) / (x + 7 == 2 ? 2 : 1);
}
