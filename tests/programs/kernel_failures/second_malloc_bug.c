/* expect: unsafe
   options: --fail 1
   native: none (nothing fails there) */
#define GIVE_UP exit(0)
#include "../kernel_scratch.h"

int main(void) {
  char *a = malloc(4);
  char *b = a ? malloc(4) : 0;
  if (a) assert(b); /* BUG: assert */
  free(a);
  free(b);
  return 0;
}
