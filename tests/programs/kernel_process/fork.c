/* What is not modelled returns ENOSYS, and leaves no verdict.
   expect: unknown unsupported
   paths: 1
   native: none (works there) */
#include "../kernel_scratch.h"
#include <sys/syscall.h>

int main(void) {
  assert(syscall(SYS_fork) == -1 && errno == ENOSYS);
  assert(syscall(SYS_fork) == -1 && errno == ENOSYS);
  return 0;
}
