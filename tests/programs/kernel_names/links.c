/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  struct stat about;
  char text[8];
  close(file_with("a", "1"));
  assert(link("a", "b") == 0 && stat("b", &about) == 0 && about.st_nlink == 2);
  assert(unlink("a") == 0 && stat("b", &about) == 0 && about.st_nlink == 1);
  assert(symlink("b", "s") == 0 && readlink("s", text, 8) == 1 && text[0] == 'b');
  int fd = open("s", O_RDONLY);
  assert(fd >= 0 && open("s", O_RDONLY | O_NOFOLLOW) == -1 && errno == ELOOP);
  assert(readlink("b", text, 8) == -1 && errno == EINVAL);
  assert(symlink("loop", "loop") == 0 && open("loop", O_RDONLY) == -1 && errno == ELOOP);
  unlink("b");
  assert(open("s", O_RDONLY) == -1 && errno == ENOENT);
  close(open("s", O_CREAT | O_WRONLY, 0644));
  assert(access("b", F_OK) == 0);
  unlink("b");
  unlink("s");
  unlink("loop");
  leave();
  return 0;
}
