/* Two functions call each other, behind a branch on an input.
   expect: unsafe
   paths: 2
   native: none (in which of the two the stack runs out depends on the frames) */
#include "unfork.h"

int odd(int n);
int even(int n) { return n == 0 ? 1 : 1 - odd(n); }
int odd(int n) { return 1 - even(n); } /* BUG: stack-overflow */

int main(void) {
  int n;
  unfork_symbolic(&n, sizeof n, "n");
  return even(n);
}
