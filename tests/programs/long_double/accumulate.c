/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

int main(void) {
  long double sum = 0;
  volatile long double tenth = 0.1L;
  for (int i = 0; i < 10; i++) sum += tenth;
  assert(sum != 1.0L || (double)sum == 1.0);
  long double factorial = 1;
  for (int i = 2; i <= 25; i++) factorial *= i;
  assert(factorial == 15511210043330985984000000.0L);
  return 0;
}
