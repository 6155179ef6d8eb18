/* The break moves by system calls.
   expect: safe
   paths: 1
   native: none (the sanitizer does not know of this memory) */
#include "../kernel_scratch.h"
#include <sys/syscall.h>

int main(void) {
  char *start = (char *)syscall(SYS_brk, 0);
  assert((char *)syscall(SYS_brk, start + 100) == start + 100);
  start[99] = 1;
  assert((char *)syscall(SYS_brk, start + 200) == start + 200 && start[99] == 1 && start[150] == 0);
  assert((char *)syscall(SYS_brk, 1) == start + 200);
  return 0;
}
