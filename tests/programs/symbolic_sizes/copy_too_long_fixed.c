/* expect: safe
   native: asan */
#include <stdlib.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  static const char source[256];
  unsigned char n;
  unfork_symbolic(&n, sizeof n, "n");
  unsigned size = n + 8u;
  char *p = malloc(size);
  memcpy(p, source, n);
  free(p);
  return 0;
}
