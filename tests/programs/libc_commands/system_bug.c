/* Nothing is run, and any status may come back.
   expect: unsafe
   assumed: system() runs nothing and returns any status
   native: none (it would run a command) */
#include <assert.h>
#include <stdlib.h>
#include <sys/wait.h>

int main(void) {
  int status = system("rm -rf data");
  assert(status == -1 || WIFEXITED(status) || WIFSIGNALED(status));
  if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 3) abort(); /* BUG: abort */
  return 0;
}
