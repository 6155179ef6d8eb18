/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

int main(void) {
  volatile int i = 16777217;
  volatile double d = -3.99;
  volatile float f = 2.5e9f;
  assert((float)i == 16777216.0f && (double)i == 16777217.0);
  assert((int)d == -3 && (unsigned)f == 2500000000u);
  volatile unsigned long u = 18446744073709551615ul;
  assert((double)u == 18446744073709551616.0);
  volatile long m = -9007199254740993l;
  assert((double)m == -9007199254740992.0);
  assert((signed char)(volatile double){-128.7} == -128);
  return 0;
}
