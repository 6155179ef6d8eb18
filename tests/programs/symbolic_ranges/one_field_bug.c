/* expect: unsafe
   native: asan
   input: count=-1 */
#include <assert.h>
#include "unfork.h"

struct order { int id; short count; long price; };

int main(void) {
  struct order o = {7, 3, 100};
  unfork_symbolic(&o.count, sizeof o.count, "count");
  assert(o.price * o.count >= 0); /* BUG: assert */
  return 0;
}
