/* expect: safe
   paths: 1
   native: asan */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *s = calloc(4, 1);
  s[0] = 'x';
  printf("%s\n", s);
  free(s);
  return 0;
}
