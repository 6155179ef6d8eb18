/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

static double root(double a) {
  double x = a, previous = 0;
  while (x != previous) {
    previous = x;
    x = (x + a / x) / 2;
    if (x > previous) break;
  }
  return x;
}

int main(void) {
  volatile double sixteen = 16, two = 2;
  assert(root(sixteen) == 4);
  double r = root(two);
  assert(r * r > 2 - 1e-15 && r * r < 2 + 1e-15);
  return 0;
}
