/* expect: safe
   options: --check uninitialised
   native: asan */
#include <stdlib.h>

int main(void) {
  int *p = malloc(4 * sizeof *p);
  for (int i = 0; i < 4; i++) p[i] = i;
  int sum = 0;
  for (int i = 0; i < 4; i++) sum += p[i];
  if (sum > 6)
    sum = 3;
  free(p);
  return sum == 3;
}
