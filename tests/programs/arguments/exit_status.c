/* Leaving main with a status is no bug.
   expect: safe
   paths: 2
   native: none (the status is not zero) */
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x > 3) return 7;
  return 1;
}
