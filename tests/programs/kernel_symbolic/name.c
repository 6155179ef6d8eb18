/* A name that depends on inputs is one of the files, or none.
   expect: safe
   native: asan */
#include "../kernel_scratch.h"
#include "unfork.h"

int main(void) {
  enter();
  close(file_with("a", "1"));
  close(file_with("b", "2"));
  char name[2] = {0}, text[2];
  unfork_symbolic(name, 1, "name");
  if (name[0] == '/' || name[0] == '.' || name[0] == 0) name[0] = 'x';
  int fd = open(name, O_RDONLY);
  if (fd >= 0) {
    assert(read(fd, text, 2) == 1);
    assert((name[0] == 'a' && text[0] == '1') || (name[0] == 'b' && text[0] == '2'));
  } else {
    assert(errno == ENOENT && name[0] != 'a' && name[0] != 'b');
  }
  unlink("a");
  unlink("b");
  leave();
  return 0;
}
