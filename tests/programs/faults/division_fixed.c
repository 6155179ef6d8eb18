/* expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned d;
  unfork_symbolic(&d, sizeof d, "d");
  unsigned q = d ? 100 / d : 0;
  assert(q <= 100);
  return 0;
}
