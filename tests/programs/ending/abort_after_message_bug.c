/* expect: unsafe
   native: asan
   input: x=0 */
#include <stdio.h>
#include <stdlib.h>
#include "unfork.h"

static void die(const char *why) {
  printf("fatal: %s\n", why);
  abort(); /* BUG: abort */
}

int main(void) {
  unsigned x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x == 0) die("zero");
  return 0;
}
