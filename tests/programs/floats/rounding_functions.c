/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

int main(void) {
  volatile double x = 2.5, y = -2.5, z = 3.5, w = -0.3;
  assert(__builtin_floor(x) == 2 && __builtin_ceil(x) == 3 && __builtin_trunc(y) == -2);
  assert(__builtin_round(x) == 3 && __builtin_round(y) == -3);
  assert(__builtin_rint(x) == 2 && __builtin_rint(z) == 4 && __builtin_nearbyint(y) == -2);
  assert(__builtin_ceil(w) == 0 && __builtin_signbit(__builtin_ceil(w)));
  volatile float f = 7.75f;
  assert(__builtin_floorf(f) == 7.0f && __builtin_ceilf(-f) == -7.0f);
  return 0;
}
