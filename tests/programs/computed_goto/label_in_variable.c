/* expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int x, y = 0;
  unfork_symbolic(&x, sizeof x, "x");
  void *where = &&low;
  if (x > 100) where = &&high;
  y = 1;
  goto *where;
high:
  y += 10;
low:
  y += 100;
  assert(y == (x > 100 ? 111 : 101));
  return 0;
}
