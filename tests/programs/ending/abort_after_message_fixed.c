/* expect: safe
   paths: 2
   native: asan */
#include <stdio.h>
#include <stdlib.h>
#include "unfork.h"

static void die(const char *why) {
  printf("fatal: %s\n", why);
  exit(0);
}

int main(void) {
  unsigned x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x == 0) die("zero");
  return 0;
}
