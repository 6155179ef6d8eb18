/* A global and a local of the same value: which of the two a pointer names is what matters, not what is there.

   expect: unsafe
   input: way=01
*/
#include <assert.h>

#include "unfork.h"

static int global = 5;

int main(void) {
  int local = 5;
  char way, other;
  unfork_symbolic(&way, sizeof way, "way");
  unfork_symbolic(&other, sizeof other, "other");
  int *where = way ? &local : &global;
  if (other)
    other = 1;
  *where = 6;
  assert(global == 6); /* BUG: assert */
  return 0;
}
