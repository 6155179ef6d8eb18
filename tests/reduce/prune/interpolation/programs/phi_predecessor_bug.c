/* The two sides of a branch meet with different values for one register: what was learnt on one side must not cover the
   other.

   expect: unsafe
   input: first=01000000 second=07000000
*/
#include <assert.h>

#include "unfork.h"

int main(void) {
  int first, second;
  unfork_symbolic(&first, sizeof first, "first");
  unfork_symbolic(&second, sizeof second, "second");
  int step = first ? 0 : 1;
  int seen = 10;
  if (second == 7)
    seen = 10 + step;
  else if (second == 8)
    seen = 12;
  assert(seen != 10 || second != 7); /* BUG: assert */
  return 0;
}
