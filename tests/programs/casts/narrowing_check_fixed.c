/* expect: safe
   paths: 3
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  if (n == 0 || n > 255) return 0;
  unsigned char narrow = (unsigned char)n;
  assert(narrow != 0);
  return 0;
}
