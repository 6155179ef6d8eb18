/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdlib.h>

int main(void) {
  long *p = calloc(10, sizeof *p);
  for (int i = 0; i < 10; i++) assert(p[i] == 0);
  free(p);
  return 0;
}
