/* The 128-bit format: constants, arithmetic and conversions.
   expect: safe
   native: asan */
#include <assert.h>

int main(void) {
  volatile double third = 1.0 / 3;
  __float128 q = third;
  q = q * 3 + 1;
  assert(q < 2 && q > 1.9999999999999997);
  assert((double)q == 2.0 && (float)(q / 4) == 0.5f && (long double)q < 2);
  __float128 one = 1, small = one;
  for (int i = 0; i < 112; i++) small /= 2;
  assert(one + small != one && one + small / 2 == one);
  assert((long long)(q * 1000000) == 1999999 && (__int128)(one * 7) == 7);
  return 0;
}
