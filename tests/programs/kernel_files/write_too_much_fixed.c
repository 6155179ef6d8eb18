/* expect: safe
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  char *text = malloc(4);
  memset(text, 'x', 4);
  write(1, text, 4);
  free(text);
  return 0;
}
