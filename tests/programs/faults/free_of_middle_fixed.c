/* expect: safe
   native: asan */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  unsigned skip;
  unfork_symbolic(&skip, sizeof skip, "skip");
  char *p = calloc(4, 1);
  p += skip & 1;
  free(p - (skip & 1));
  return 0;
}
