/* An error behind another error: a subtree that fails at the first line must not hide that later states fail at the
   second.

   expect: unsafe
   input: way=01000000 size=09000000
   input: way=00000000 size=09000000
*/
#include <assert.h>

#include "unfork.h"

int main(void) {
  int way, size, limit = 100;
  unfork_symbolic(&way, sizeof way, "way");
  unfork_symbolic(&size, sizeof size, "size");
  if (way)
    limit = 5;
  if (size > 8) {
    assert(limit > 50); /* BUG: assert */
    assert(size < 9);   /* BUG: assert */
  }
  return 0;
}
