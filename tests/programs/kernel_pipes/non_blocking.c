/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  int ends[2];
  char text[8];
  assert(pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0 && fcntl(ends[0], F_GETFD) == FD_CLOEXEC);
  assert(read(ends[0], text, 8) == -1 && errno == EAGAIN);
  return 0;
}
