/* expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include <stdlib.h>
#include "unfork.h"

static int x;
static void last_check(void) { assert(x != 1); }

int main(void) {
  unfork_symbolic(&x, sizeof x, "x");
  if (x == 1) exit(0);
  atexit(last_check);
  return 0;
}
