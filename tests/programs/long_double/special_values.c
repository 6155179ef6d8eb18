/* expect: safe
   paths: 1
   native: asan -fno-sanitize=float-divide-by-zero */
#include <assert.h>

int main(void) {
  volatile long double zero = 0.0L, one = 1.0L;
  long double inf = one / zero, nan = zero / zero;
  assert(nan != nan && inf > 1e4932L && -inf < 0);
  assert(!(nan < inf) && !(nan > inf));
  assert(__builtin_fabsl(-inf) == inf && __builtin_isnan(nan));
  volatile long double huge = 1e4932L;
  assert(huge * 10 == inf && huge > (long double)1e308);
  return 0;
}
