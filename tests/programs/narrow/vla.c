/* An array of variable length, of pointers.
   expect: safe
   options: --data-model ILP32
   native: none (for 32 bits) */
#include <assert.h>
#include "unfork.h"

static int last(int n, int *words[n]) { return *words[n - 1]; }

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  if (n < 1 || n > 4) return 0;
  int numbers[n], *words[n];
  for (unsigned i = 0; i < n; i++) {
    numbers[i] = (int)i;
    words[i] = &numbers[i];
  }
  assert(sizeof words == 4 * n && last((int)n, words) == (int)n - 1);
  return 0;
}
