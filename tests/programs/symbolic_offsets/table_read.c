/* expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

static const unsigned char reversed[16] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};

int main(void) {
  unsigned x;
  unfork_symbolic(&x, sizeof x, "x");
  x &= 15;
  unsigned y = reversed[x];
  assert(reversed[y] == x);
  assert((y & 1) == x >> 3);
  return 0;
}
