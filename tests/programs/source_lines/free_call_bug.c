/* expect: unsafe
   native: asan */
#include <stdlib.h>

static void release(char *p) {
  free(p); /* BUG: double-free */
}

int main(void) {
  char *p = malloc(3);
  release(p);
  release(p);
  return 0;
}
