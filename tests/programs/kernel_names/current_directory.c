/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  char place[64];
  assert(mkdir("d", 0755) == 0 && chdir("d") == 0);
  assert(getcwd(place, sizeof place) && !strcmp(place + strlen(place) - 2, "/d"));
  assert(!getcwd(place, 3) && errno == ERANGE);
  int above = open("..", O_RDONLY | O_DIRECTORY);
  assert(fchdir(above) == 0 && access("d", F_OK) == 0 && access("d/../d/./", F_OK) == 0);
  close(file_with("f", ""));
  assert(chdir("f") == -1 && errno == ENOTDIR);
  int fd = openat(above, "f", O_RDONLY);
  assert(fd >= 0 && openat(fd, "f", O_RDONLY) == -1 && errno == ENOTDIR);
  unlink("f");
  rmdir("d");
  leave();
  return 0;
}
