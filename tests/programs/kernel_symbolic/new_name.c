/* A file whose name depends on inputs is found under that name.
   expect: safe
   native: asan */
#include "../kernel_scratch.h"
#include "unfork.h"

int main(void) {
  enter();
  char name[2] = {0};
  unfork_symbolic(name, 1, "name");
  if (name[0] == '/' || name[0] == '.' || name[0] == 0) name[0] = 'x';
  close(file_with(name, "1"));
  assert((access("q", F_OK) == 0) == (name[0] == 'q'));
  assert(unlink(name) == 0 && access(name, F_OK) == -1);
  leave();
  return 0;
}
