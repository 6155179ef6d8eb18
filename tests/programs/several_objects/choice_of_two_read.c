/* expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int a = 1, b = 2, x;
  unfork_symbolic(&x, sizeof x, "x");
  int *p = x > 0 ? &a : &b;
  assert(*p == (x > 0 ? 1 : 2));
  return 0;
}
