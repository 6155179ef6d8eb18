/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  char text[4] = "abc";
  int null = open("/dev/null", O_RDWR), zero = open("/dev/zero", O_RDONLY), full = open("/dev/full", O_WRONLY);
  assert(read(null, text, 4) == 0 && write(null, text, 4) == 4);
  assert(read(zero, text, 4) == 4 && !text[0] && !text[3]);
  assert(write(full, text, 1) == -1 && errno == ENOSPC);
  return 0;
}
