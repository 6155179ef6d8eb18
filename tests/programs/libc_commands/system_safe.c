/* A path goes on behind a command.
   expect: safe
   assumed: system() runs nothing and returns any status
   native: none (it would run a command) */
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int has_shell = system(NULL), status = system("true");
  assert(status >= -1 && status <= 0xffff);
  return has_shell != 0;
}
