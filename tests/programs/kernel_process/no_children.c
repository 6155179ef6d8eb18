/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <sys/wait.h>
#include <sched.h>

int main(void) {
  int status;
  assert(wait(&status) == -1 && errno == ECHILD && sched_yield() == 0);
  return 0;
}
