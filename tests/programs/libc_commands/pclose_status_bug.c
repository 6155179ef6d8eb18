/* A command may fail.
   expect: unsafe
   native: none (it would run a command) */
#include <assert.h>
#include <stdio.h>

int main(void) {
  FILE *stream = popen("ls", "r");
  if (!stream) return 1;
  assert(pclose(stream) == 0); /* BUG: assert */
  return 0;
}
