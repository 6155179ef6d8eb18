/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

int main(void) {
  volatile long double x = 1.00000000000000000011L;
  assert((double)x == 1.0 && x > 1.0L && (float)x == 1.0f);
  volatile unsigned long u = 18446744073709551615ul;
  long double w = u;
  assert(w == 18446744073709551615.0L && (unsigned long)w == u);
  volatile double d = 0.1;
  assert((long double)d != 0.1L && (double)(long double)d == d);
  volatile long double minus = -2.75L;
  assert((int)minus == -2);
  return 0;
}
