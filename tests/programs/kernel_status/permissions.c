/* The program is no superuser.
   expect: safe
   paths: 1
   native: none (tests may run as the superuser) */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  close(file_with("f", "x"));
  assert(chmod("f", 0) == 0 && open("f", O_RDONLY) == -1 && errno == EACCES);
  assert(access("f", R_OK) == -1 && errno == EACCES && access("f", F_OK) == 0);
  assert(chmod("f", 0400) == 0 && open("f", O_WRONLY) == -1 && open("f", O_RDONLY) >= 0);
  assert(open("/new", O_CREAT | O_WRONLY, 0644) == -1 && errno == EACCES);
  assert(chown("f", 0, 0) == -1 && errno == EPERM && setuid(0) == -1);
  unlink("f");
  leave();
  return 0;
}
