/* expect: safe
   options: --check leak
   native: asan */
#include <stdlib.h>

static char *buffer;
static void release(void) {
  free(buffer);
  buffer = 0;
}

int main(void) {
  buffer = malloc(16);
  atexit(release);
  buffer[15] = 1;
  return 0;
}
