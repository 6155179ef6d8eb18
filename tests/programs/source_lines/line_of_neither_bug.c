/* The compiler makes one store of two, which stands on no line: the nearest is reported.
   expect: unsafe
   options: --cflags -O1
   native: none (a sanitizer keeps the stores apart) */
#include "unfork.h"

int main(void) {
  int v[4] = {0}, x;
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(i <= 4);
  if (x) /* BUG: out-of-bounds */
    v[i] = 1;
  else
    v[i] = 2;
  return v[0] == 7;
}
