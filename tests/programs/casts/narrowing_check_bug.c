/* The check is made on the wide value, the use on the narrow one.
   expect: unsafe
   native: asan
   input: n=256 */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  if (n == 0) return 0;
  unsigned char narrow = (unsigned char)n;
  assert(narrow != 0); /* BUG: assert */
  return 0;
}
