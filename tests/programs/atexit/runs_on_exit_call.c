/* expect: unsafe
   native: asan
   input: x=1 */
#include <assert.h>
#include <stdlib.h>
#include "unfork.h"

static int x;
static void last_check(void) {
  assert(x != 1); /* BUG: assert */
}

static void deep(void) {
  if (x) exit(0);
}

int main(void) {
  unfork_symbolic(&x, sizeof x, "x");
  atexit(last_check);
  deep();
  return 0;
}
