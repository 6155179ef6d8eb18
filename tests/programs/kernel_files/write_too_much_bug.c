/* expect: unsafe
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  char *text = malloc(4);
  memset(text, 'x', 4);
  write(1, text, 5); /* BUG: out-of-bounds */
  free(text);
  return 0;
}
