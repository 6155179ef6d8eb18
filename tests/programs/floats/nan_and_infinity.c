/* expect: safe
   paths: 1
   native: asan -fno-sanitize=float-divide-by-zero */
#include <assert.h>

int main(void) {
  volatile double zero = 0.0, one = 1.0;
  double nan = zero / zero, inf = one / zero;
  assert(nan != nan && !(nan < 1) && !(nan > 1) && !(nan == 1));
  assert(inf > 1e308 && -inf < -1e308 && inf - inf != inf - inf);
  assert(zero == -zero && 1 / -zero == -inf);
  assert(__builtin_isnan(nan) && __builtin_isinf(inf) && !__builtin_isfinite(nan));
  assert(__builtin_signbit(-zero) && !__builtin_signbit(zero));
  return 0;
}
