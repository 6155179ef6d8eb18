/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  unsigned char *p = calloc(10, 1);
  unfork_symbolic(p + 3, 4, "middle");
  assert(p[2] == 0 && p[7] == 0);
  p[3] &= 15;
  assert(p[3] < 16);
  free(p);
  return 0;
}
