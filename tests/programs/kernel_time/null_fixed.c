/* expect: safe
   native: none (the kernel answers EFAULT) */
#include "../kernel_scratch.h"
#include <time.h>
#include <sys/syscall.h>

int main(void) {
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &(struct timespec){0});
  return 0;
}
