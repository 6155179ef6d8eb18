/* expect: safe
   options: --check overflow
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int n;
  unfork_symbolic(&n, sizeof n, "n");
  if (n < 0 || n > 46340) return 0;
  int square = n * n;
  assert(square >= 0);
  return 0;
}
