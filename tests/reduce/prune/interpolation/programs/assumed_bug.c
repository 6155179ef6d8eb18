/* An assumption that cuts one path off must not count as a reason for another.

   expect: unsafe
   input: way=00 value=0a000000
*/
#include <assert.h>

#include "unfork.h"

int main(void) {
  char way;
  int value, noise = 0;
  unfork_symbolic(&way, sizeof way, "way");
  unfork_symbolic(&value, sizeof value, "value");
  if (way)
    unfork_assume(value < 10);
  if (value & 1)
    noise = 1;
  assert(value + noise != 10); /* BUG: assert */
  return 0;
}
