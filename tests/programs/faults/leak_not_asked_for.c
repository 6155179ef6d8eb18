/* expect: safe
   native: none (a sanitizer would object) */
#include <stdlib.h>

int main(void) {
  char *p = malloc(32);
  p[0] = 1;
  return 0;
}
