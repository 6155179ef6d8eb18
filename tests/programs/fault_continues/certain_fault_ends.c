/* Behind a certain fault there is nothing.
   expect: unsafe
   paths: 1
   native: asan */
#include <assert.h>

int main(void) {
  volatile int x = 1;
  assert(x == 2); /* BUG: assert */
  assert(x == 3);
  return 0;
}
