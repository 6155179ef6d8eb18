/* The mask takes bits away when a file is made, and chmod sets them.
   expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  struct stat about;
  umask(027);
  close(open("f", O_CREAT | O_WRONLY, 0666));
  assert(stat("f", &about) == 0 && (about.st_mode & 07777) == 0640);
  assert(chmod("f", 0600) == 0 && stat("f", &about) == 0 && (about.st_mode & 07777) == 0600);
  assert(umask(022) == 027);
  assert(mkdir("d", 0777) == 0 && stat("d", &about) == 0 && (about.st_mode & 0777) == 0755);
  rmdir("d");
  unlink("f");
  leave();
  return 0;
}
