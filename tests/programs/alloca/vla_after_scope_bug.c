/* A pointer outlives the scope of its VLA.
   expect: unsafe
   native: none (gcc frees the block only at the end of the function) */
#include "unfork.h"

int main(void) {
  int n, kept = 0;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_assume(n >= 1 && n <= 2);
  int *p = &kept;
  {
    int block[n];
    block[0] = 1;
    if (n == 2) p = block;
  }
  return *p == 77; /* BUG: use-after-free */
}
