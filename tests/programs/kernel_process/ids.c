/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  assert(getpid() > 0 && getppid() >= 0 && getuid() == geteuid() && getgid() == getegid());
  assert(getpgrp() > 0 && setuid(getuid()) == 0);
  return 0;
}
