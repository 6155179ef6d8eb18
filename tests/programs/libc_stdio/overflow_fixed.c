/* The buffer is long enough for all values.
   expect: safe
   native: asan */
#include <stdio.h>
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x >= -1000 && x <= 1000);
  char *text = malloc(6);
  sprintf(text, "%d", x);
  free(text);
  return 0;
}
