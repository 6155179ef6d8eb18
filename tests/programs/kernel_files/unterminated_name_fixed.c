/* expect: safe
   native: none (the sanitizer does not look at names) */
#include "../kernel_scratch.h"

int main(void) {
  char *name = malloc(3);
  memcpy(name, "ab", 3);
  open(name, O_RDONLY);
  free(name);
  return 0;
}
