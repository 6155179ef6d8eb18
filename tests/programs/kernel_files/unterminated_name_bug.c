/* expect: unsafe
   native: none (the sanitizer does not look at names) */
#include "../kernel_scratch.h"

int main(void) {
  char *name = malloc(3);
  memcpy(name, "abc", 3);
  open(name, O_RDONLY); /* BUG: out-of-bounds */
  free(name);
  return 0;
}
