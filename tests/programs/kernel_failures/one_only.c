/* expect: safe
   options: --fail 1
   native: none (nothing fails there) */
#define GIVE_UP exit(0)
#include "../kernel_scratch.h"

int main(void) {
  char *a = malloc(1), *b = malloc(1);
  assert(a || b);
  free(a);
  free(b);
  return 0;
}
