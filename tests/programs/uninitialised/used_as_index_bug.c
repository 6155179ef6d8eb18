/* expect: unsafe
   native: none (gcc has no check for uninitialised reads) */
#include "unfork.h"

int main(void) {
  static int table[4];
  int x;
  unsigned i;
  unfork_symbolic(&x, sizeof x, "x");
  if (x == 7) i = 2;
  return table[i]; /* BUG: out-of-bounds */
}
