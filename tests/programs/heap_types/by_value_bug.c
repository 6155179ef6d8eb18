/* A large struct that is passed by value is a copy of the callee's own.
   expect: unsafe
   options: --function sum
   native: none (a function that is run alone) */
#include "unfork.h"

struct large { long x[4]; int *shared; };

int sum(struct large one, int *p) {
  one.x[0] = 1;
  if (one.shared && p) {
    *p = 1;
    *one.shared = 2;
    unfork_check(*p == 1); /* BUG: assert */
  }
  return one.x[3] == 4;
}
