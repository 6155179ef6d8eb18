/* expect: safe
   options: --fail 0
   native: none (nothing fails there) */
#define GIVE_UP exit(0)
#include "../kernel_scratch.h"

int main(void) {
  char *a = malloc(1);
  assert(a && write(1, "x", 1) == 1);
  free(a);
  return 0;
}
