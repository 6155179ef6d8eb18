/* No other program can be started.
   expect: safe
   assumed: no other program can be started: execve() fails
   native: none (it would run a command) */
#include <assert.h>
#include <unistd.h>

int main(void) {
  assert(execlp("ls", "ls", (char *)0) == -1);
  assert(execl("/bin/ls", "ls", (char *)0) == -1);
  return 0;
}
