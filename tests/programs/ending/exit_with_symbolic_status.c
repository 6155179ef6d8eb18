/* expect: safe
   paths: 1
   native: none (the status is not zero) */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  exit(x);
}
