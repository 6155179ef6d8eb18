/* A variable that is an array, written behind an index: what was passed is one node, whatever it holds.
   expect: bounded
   options: --abstract array --predicate "used == 0" */
#include "unfork.h"

int main(void) {
  unsigned char seen[64];
  unsigned used = 0;
  while (used < 64) {
    unsigned char x;
    unfork_symbolic(&x, 1, "x");
    if (x > 100)
      break;
    seen[used++] = x;
    unfork_check(seen[used - 1] <= 100);
  }
  return used && seen[0] > 100;
}
