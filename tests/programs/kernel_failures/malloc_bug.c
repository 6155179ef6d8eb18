/* expect: unsafe
   options: --fail 1
   native: none (nothing fails there) */
#define GIVE_UP exit(0)
#include "../kernel_scratch.h"

int main(void) {
  char *text = malloc(4);
  text[0] = 1; /* BUG: null-dereference */
  free(text);
  return 0;
}
