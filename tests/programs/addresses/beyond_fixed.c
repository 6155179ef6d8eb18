/* expect: safe
   native: asan */
#include <stdint.h>
#include "unfork.h"

static char block[16];

int main(void) {
  unsigned char n;
  unfork_symbolic(&n, 1, "n");
  unfork_assume(n < 16);
  *(char *)((uintptr_t)block + n) = 1;
  return 0;
}
