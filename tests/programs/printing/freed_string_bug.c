/* expect: unsafe
   native: asan */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *s = calloc(4, 1);
  s[0] = 'x';
  free(s);
  printf("%s\n", s); /* BUG: use-after-free */
  return 0;
}
