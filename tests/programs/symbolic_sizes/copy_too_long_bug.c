/* The size is computed in a narrow type and wraps.
   expect: unsafe
   native: asan
   input: n=250 */
#include <stdlib.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  static const char source[256];
  unsigned char n;
  unfork_symbolic(&n, sizeof n, "n");
  unsigned char size = (unsigned char)(n + 8);
  char *p = malloc(size);
  memcpy(p, source, n); /* BUG: out-of-bounds */
  free(p);
  return 0;
}
