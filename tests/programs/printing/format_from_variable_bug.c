/* The format itself is a string that must end.
   expect: unsafe
   native: asan */
#include <stdio.h>

int main(void) {
  char form[2] = {'o', 'k'};
  const char *volatile f = form;
  printf(f); /* BUG: out-of-bounds */
  return 0;
}
