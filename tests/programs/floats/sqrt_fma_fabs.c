/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

int main(void) {
  volatile double two = 2.0, third = 1.0 / 3.0;
  assert(__builtin_sqrt(two) == 1.4142135623730951);
  assert(__builtin_fabs(-two) == two && __builtin_copysign(two, -third) == -2.0);
  assert(__builtin_fma(third, 3.0, -1.0) == -5.551115123125783e-17 && third * 3.0 - 1.0 == 0);
  volatile float f = 2.0f;
  assert(__builtin_sqrtf(f) == 1.41421354f);
  assert(__builtin_fmax(two, third) == two && __builtin_fmin(two, __builtin_nan("")) == two);
  return 0;
}
