/* Two pointers of one type may be the same, or both be null.
   expect: unsafe
   paths: 6
   options: --function move
   native: none (a function that is run alone) */
#include "unfork.h"

struct account { long balance; };

void move(struct account *from, struct account *to, unsigned char amount) {
  if (!from || !to) return;
  from->balance = 100;
  to->balance = 0;
  to->balance += amount;
  from->balance -= amount;
  unfork_check(to->balance == amount); /* BUG: assert */
}
