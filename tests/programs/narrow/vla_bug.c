/* One pointer too many is read.
   expect: unsafe
   options: --data-model ILP32
   native: none (for 32 bits) */
#include "unfork.h"

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  if (n < 1 || n > 4) return 0;
  int number = 1, *words[n];
  for (unsigned i = 0; i < n; i++) words[i] = &number;
  return *words[n] == 1; /* BUG: out-of-bounds */
}
