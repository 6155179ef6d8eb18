/* A loop over a variable that ends because its states are covered: a cover matches variables as they are.
   expect: safe
   options: --function drain --globals symbolic --prune subsume --search bfs
   native: none (a function that is run alone) */
#include "unfork.h"

unsigned left;
int stopped;

void drain(int quick) {
  while (left > 0 && !stopped) {
    unfork_check(left != 0);
    left = quick ? 0 : left / 2;
  }
  unfork_check(left == 0 || stopped);
}
