/* expect: unsafe
   native: asan */
#include <stdio.h>

int main(void) {
  char raw[3] = {'a', 'b', 'c'};
  printf("%s\n", raw); /* BUG: out-of-bounds */
  return 0;
}
