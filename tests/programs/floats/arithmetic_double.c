/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

int main(void) {
  volatile double a = 0.1, b = 0.2, three = 3.0;
  assert(a + b == 0.30000000000000004 && a + b != 0.3);
  assert(1 / three == 0.3333333333333333 && three * (1 / three) == 1.0);
  assert(a - b == -0.1 && a * b == 0.020000000000000004);
  volatile double big = 1e308;
  assert(big * 10 > 1e308 && big * 10 == big * 100 && -big * 10 < 0);
  volatile double tiny = 5e-324;
  assert(tiny > 0 && tiny / 2 == 0);
  return 0;
}
