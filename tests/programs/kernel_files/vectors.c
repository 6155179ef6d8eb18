/* Pieces are read and written in order.
   expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <sys/uio.h>

int main(void) {
  enter();
  char a[3], b[4];
  int fd = file_with("f", "");
  struct iovec out[] = {{"ab", 2}, {"", 0}, {"cde", 3}}, in[] = {{a, 3}, {b, 4}};
  assert(writev(fd, out, 3) == 5);
  assert(lseek(fd, 0, SEEK_SET) == 0);
  assert(readv(fd, in, 2) == 5 && !memcmp(a, "abc", 3) && !memcmp(b, "de", 2));
  unlink("f");
  leave();
  return 0;
}
