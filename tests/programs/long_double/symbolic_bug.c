/* expect: unsafe
   native: asan
   input: s=300 */
#include <assert.h>
#include "unfork.h"

int main(void) {
  short s;
  unfork_symbolic(&s, sizeof s, "s");
  long double x = (long double)s / 4;
  assert(x != 75.0L); /* BUG: assert */
  return 0;
}
