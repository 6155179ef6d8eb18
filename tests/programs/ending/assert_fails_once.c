/* expect: unsafe
   paths: 1
   native: asan */
#include <assert.h>

int main(void) {
  volatile int two = 2;
  assert(two + two == 5); /* BUG: assert */
  return 0;
}
