/* A directory lists what is in it.
   expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <dirent.h>

int main(void) {
  enter();
  close(file_with("a", "1"));
  mkdir("b", 0755);
  DIR *folder = opendir(".");
  int seen = 0, count = 0;
  for (struct dirent *one; (one = readdir(folder)); count++)
    seen |= !strcmp(one->d_name, "a") ? 1 : !strcmp(one->d_name, "b") ? 2 : !strcmp(one->d_name, "..") ? 4 : 8;
  assert(count == 4 && seen == 15);
  closedir(folder);
  unlink("a");
  rmdir("b");
  leave();
  return 0;
}
