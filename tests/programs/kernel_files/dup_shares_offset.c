/* Duplicates share an offset, files opened twice do not.
   expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  char text[4];
  int fd = file_with("f", "abcdef"), twin = dup(fd), other = open("f", O_RDONLY);
  assert(read(fd, text, 2) == 2);
  assert(read(twin, text, 2) == 2 && text[0] == 'c');
  assert(read(other, text, 1) == 1 && text[0] == 'a');
  assert(dup2(other, fd) == fd && read(fd, text, 1) == 1 && text[0] == 'b');
  assert(close(fd) == 0 && read(other, text, 1) == 1 && text[0] == 'c');
  assert(fcntl(other, F_DUPFD, 20) == 20 && fcntl(20, F_GETFD) == 0);
  assert((fcntl(other, F_GETFL) & O_ACCMODE) == O_RDONLY);
  unlink("f");
  leave();
  return 0;
}
