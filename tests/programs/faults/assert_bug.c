/* expect: unsafe
   paths: 2
   native: asan
   input: x=77 */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  assert(x != 77); /* BUG: assert */
  return 0;
}
