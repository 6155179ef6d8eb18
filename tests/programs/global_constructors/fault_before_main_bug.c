/* expect: unsafe
   native: asan
   input: n=4 */
#include "unfork.h"

static int table[4];

__attribute__((constructor)) static void fill(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  if (n > 4) n = 4;
  table[n] = 1; /* BUG: out-of-bounds */
}

int main(void) { return 0; }
