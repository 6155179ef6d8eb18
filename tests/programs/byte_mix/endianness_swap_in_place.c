/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned x, y;
  unfork_symbolic(&x, sizeof x, "x");
  y = x;
  unsigned char *p = (unsigned char *)&y;
  for (int i = 0; i < 2; i++) {
    unsigned char t = p[i];
    p[i] = p[3 - i];
    p[3 - i] = t;
  }
  assert(y == __builtin_bswap32(x));
  return 0;
}
