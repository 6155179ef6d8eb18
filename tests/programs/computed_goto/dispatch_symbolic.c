/* expect: safe
   paths: 4
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  static void *const labels[] = {&&zero, &&one, &&two, &&three};
  unsigned x;
  int y;
  unfork_symbolic(&x, sizeof x, "x");
  goto *labels[x & 3];
zero:
  y = 0;
  goto end;
one:
  y = 1;
  goto end;
two:
  y = 2;
  goto end;
three:
  y = 3;
end:
  assert((x & 3) == (unsigned)y);
  return 0;
}
