/* expect: safe
   native: asan */
#include "unfork.h"

int main(void) {
  static void *const labels[] = {&&a, &&b, &&c};
  unsigned x;
  unfork_symbolic(&x, sizeof x, "x");
  goto *labels[x % 3];
a:
  return 0;
b:
  return 0;
c:
  return 0;
}
