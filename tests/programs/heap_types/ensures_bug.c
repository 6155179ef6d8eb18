/* A guarantee stands in front of the return.
   expect: unsafe
   options: --function take
   native: none (a function that is run alone) */
#include <stddef.h>
#include "unfork.h"

struct account { unsigned balance; };

unsigned take(struct account *a, unsigned amount) {
  UNFORK_REQUIRES(a != NULL);
  unsigned before = a->balance;
  if (amount > a->balance + 1) amount = a->balance;
  a->balance -= amount;
  UNFORK_ENSURES(a->balance <= before); /* BUG: contract */
  return amount;
}
