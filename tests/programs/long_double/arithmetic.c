/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

int main(void) {
  volatile long double a = 1.0L, three = 3.0L;
  long double third = a / three;
  assert(third != (long double)(double)third);
  assert(third * 3 == 1.0L);
  volatile long double big = 9223372036854775807.0L;
  assert(big + 1 == 9223372036854775808.0L && big - 1 != big);
  assert((long)(big - 1) == 9223372036854775806l);
  assert(-a < a && a - three == -2.0L);
  return 0;
}
