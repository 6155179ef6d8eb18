/* expect: safe
   options: --check shift
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int n;
  unfork_symbolic(&n, sizeof n, "n");
  if (n < 0 || n > 31) return 0;
  unsigned mask = 1u << n;
  assert(mask != 0 && (mask & (mask - 1)) == 0);
  return 0;
}
