/* Only one member is an input; the others keep their values.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include "unfork.h"

struct order { int id; short count; long price; };

int main(void) {
  struct order o = {7, 3, 100};
  unfork_symbolic(&o.count, sizeof o.count, "count");
  assert(o.id == 7 && o.price == 100);
  assert(o.count >= -32768);
  return 0;
}
