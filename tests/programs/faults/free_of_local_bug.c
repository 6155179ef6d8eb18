/* expect: unsafe
   native: asan
   input: n=10 */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  char small[16], *buffer = small;
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_assume(n >= 1 && n <= 100);
  if (n > sizeof small) buffer = malloc(100);
  buffer[0] = 0;
  free(buffer); /* BUG: invalid-free */
  return 0;
}
