/* Removing what is listed skips nothing.
   expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <dirent.h>

int main(void) {
  enter();
  for (char name[2] = "a"; name[0] < 'f'; name[0]++) close(file_with(name, ""));
  DIR *folder = opendir(".");
  for (struct dirent *one; (one = readdir(folder));)
    if (one->d_name[0] != '.') assert(unlink(one->d_name) == 0);
  closedir(folder);
  leave();
  return 0;
}
