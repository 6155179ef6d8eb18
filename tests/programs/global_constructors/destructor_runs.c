/* A destructor runs after main returns, and its faults count.
   expect: unsafe
   native: asan
   input: x=9 */
#include <assert.h>
#include "unfork.h"

static int x;

__attribute__((destructor)) static void finish(void) {
  assert(x != 9); /* BUG: assert */
}

int main(void) {
  unfork_symbolic(&x, sizeof x, "x");
  return 0;
}
