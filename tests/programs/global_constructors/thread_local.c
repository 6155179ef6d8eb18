/* With one thread a thread-local is a global.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>

static _Thread_local int counter = 5;
static __thread int zero;

static int *address(void) { return &counter; }

int main(void) {
  counter++;
  assert(*address() == 6 && zero == 0);
  *address() = 1;
  assert(counter == 1);
  return 0;
}
