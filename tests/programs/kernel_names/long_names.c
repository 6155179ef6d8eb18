/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  char name[300];
  memset(name, 'n', sizeof name);
  name[256] = 0;
  assert(open(name, O_CREAT | O_WRONLY, 0644) == -1 && errno == ENAMETOOLONG);
  name[255] = 0;
  close(file_with(name, ""));
  assert(unlink(name) == 0);
  assert(open("", O_RDONLY) == -1 && errno == ENOENT);
  leave();
  return 0;
}
