/* Members that C does not let be assigned take any value all the same: by themselves, in a const struct, in an array,
   behind a typedef, in a union.
   expect: unsafe
   options: --function balance --globals symbolic
   native: none (a function that is run alone) */
#include "unfork.h"

typedef const short fixed;
struct limits { int low, high; };
struct account {
  const int number;
  int amount;
  const struct limits limits;
  fixed codes[2];
  union { const int either; short half; };
  struct account *const other;
  const char *owner;
};
struct account bank;

int balance(const struct account *one) {
  if (!one || !one->other || one->other == one) return 0;
  if (one->number != 7 || one->amount != 3 || one->codes[1] != 5 || one->either != 9) return 1;
  if (one->limits.low < 1 || bank.number != 4 || bank.limits.high != 6 || !one->owner) return 2;
  unfork_check(one->limits.high > one->limits.low || one->other->number != 8); /* BUG: assert */
  return 3;
}
