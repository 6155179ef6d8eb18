/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

int main(void) {
  volatile int minus = -1, zero = 0;
  volatile unsigned one = 1;
  assert(minus < zero && !(minus > zero) && minus <= zero && minus != zero);
  assert((unsigned)minus > one && !((unsigned)minus < one));
  volatile signed char sc = -1;
  volatile unsigned char uc = 255;
  assert(sc != uc && (unsigned char)sc == uc && sc < uc);
  volatile long long big = -9223372036854775807ll - 1;
  assert(big < 0 && (unsigned long long)big > 9223372036854775807ull);
  return 0;
}
