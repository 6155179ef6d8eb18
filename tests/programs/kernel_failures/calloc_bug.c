/* expect: unsafe
   options: --fail 1
   native: none (nothing fails there) */
#define GIVE_UP exit(0)
#include "../kernel_scratch.h"

int main(void) {
  int *counts = calloc(4, sizeof *counts);
  counts[3] = 1; /* BUG: null-dereference */
  free(counts);
  return 0;
}
