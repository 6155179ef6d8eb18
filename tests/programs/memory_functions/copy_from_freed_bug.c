/* expect: unsafe
   native: asan */
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *p = calloc(8, 1), copy[8];
  free(p);
  memcpy(copy, p, 8); /* BUG: use-after-free */
  return copy[0];
}
