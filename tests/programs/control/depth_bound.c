/* A loop without end is cut by the bound that the user gave.
   expect: bounded
   options: --max-depth 5
   native: none (the loop need not end) */
#include "unfork.h"

int main(void) {
  unsigned n, i = 0;
  unfork_symbolic(&n, sizeof n, "n");
  while (i != n) i++;
  return 0;
}
