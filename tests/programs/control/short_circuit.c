/* The right operand runs only when the left one asks for it.
   expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include "unfork.h"

static int calls;
static int touch(void) {
  calls++;
  return 1;
}

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int both = x > 0 && touch();
  assert(calls == both);
  return 0;
}
