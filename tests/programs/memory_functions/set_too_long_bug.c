/* expect: unsafe
   native: asan
   input: n=7 */
#include <string.h>
#include "unfork.h"

int main(void) {
  char buffer[6];
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_assume(n <= 7);
  memset(buffer, 'x', n); /* BUG: out-of-bounds */
  return 0;
}
