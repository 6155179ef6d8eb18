/* expect: safe
   native: asan */
#include "../kernel_scratch.h"
#include "unfork.h"

int main(void) {
  enter();
  unsigned char size;
  unfork_symbolic(&size, 1, "size");
  size %= 5;
  char text[8] = {0};
  int fd = file_with("f", "abcd");
  assert(ftruncate(fd, size) == 0 && ftruncate(fd, 4) == 0);
  assert(read(fd, text, 8) == 4);
  for (int i = 0; i < 4; i++) assert(text[i] == (i < size ? 'a' + i : 0));
  unlink("f");
  leave();
  return 0;
}
