/* One way out forgets the block.
   expect: unsafe
   options: --check leak
   native: asan
   input: x=2 */
#include <stdlib.h>
#include "unfork.h"

static int work(int x) {
  char *p = malloc(32); /* BUG: leak */
  p[0] = 1;
  if (x == 2) {
    p = 0;
    return 1;
  }
  free(p);
  p = 0;
  return 0;
}

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  return work(x) ? 0 : 0;
}
