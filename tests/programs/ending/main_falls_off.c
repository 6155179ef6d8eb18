/* Falling off main is status zero.
   expect: safe
   paths: 2
   native: asan */
#include "unfork.h"

static int touched;

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x > 1) touched = 1;
}
