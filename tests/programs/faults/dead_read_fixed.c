/* expect: safe
   paths: 2
   native: asan */
#include "unfork.h"

int main(void) {
  int x, value = 3, other = 4;
  unfork_symbolic(&x, sizeof x, "x");
  int *p = x ? &value : &other;
  int unused = *p;
  (void)unused;
  return 0;
}
