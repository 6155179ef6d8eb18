/* expect: safe
   paths: 2
   native: asan */
#include <stdlib.h>
#include "unfork.h"

_Noreturn static void finish(int status) { exit(status); }

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x) finish(0);
  finish(0);
}
