/* The buffer is one byte too short for some values: the error is at the call, not in the library.
   expect: unsafe
   native: asan
   input: x=-1000 */
#include <stdio.h>
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x >= -1000 && x <= 1000);
  char *text = malloc(5);
  sprintf(text, "%d", x); /* BUG: out-of-bounds */
  free(text);
  return 0;
}
