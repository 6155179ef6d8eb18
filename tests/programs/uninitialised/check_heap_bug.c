/* expect: unsafe
   options: --check uninitialised
   native: none (gcc has no check for uninitialised reads) */
#include <stdlib.h>

int main(void) {
  int *p = malloc(4 * sizeof *p);
  for (int i = 0; i < 3; i++) p[i] = i;
  int sum = 0;
  for (int i = 0; i < 4; i++) sum += p[i];
  if (sum > 3) /* BUG: uninitialised */
    sum = 3;
  free(p);
  return sum > 3;
}
