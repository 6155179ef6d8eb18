/* exit ends the path, whatever is on the stack.
   expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include <stdlib.h>
#include "unfork.h"

static void stop_if(int c) {
  if (c) exit(0);
}

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  stop_if(x < 100);
  assert(x >= 100);
  return 0;
}
