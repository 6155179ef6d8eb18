/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

static int quotient(int a, int b) { return a / b; }
static int rest(int a, int b) { return a % b; }

int main(void) {
  volatile int seven = 7, two = 2;
  assert(quotient(seven, two) == 3 && rest(seven, two) == 1);
  assert(quotient(-seven, two) == -3 && rest(-seven, two) == -1);
  assert(quotient(seven, -two) == -3 && rest(seven, -two) == 1);
  assert(quotient(-seven, -two) == 3 && rest(-seven, -two) == -1);
  volatile unsigned minus = -7u;
  assert(minus / two == 2147483644u && minus % two == 1);
  volatile short s = -32768;
  assert(s / -1 == 32768);
  return 0;
}
