/* expect: safe
   native: asan */
#include "unfork.h"

static int table[4];

__attribute__((constructor)) static void fill(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  if (n > 3) n = 3;
  table[n] = 1;
}

int main(void) { return 0; }
