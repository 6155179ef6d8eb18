/* A loop without end is cut by the bound that the user gave.
   expect: bounded
   options: --unwind 5
   native: none (the loop does not end) */
#include "unfork.h"

int main(void) {
  unsigned n, i = 0;
  unfork_symbolic(&n, sizeof n, "n");
  while (i != n) i++;
  return 0;
}
