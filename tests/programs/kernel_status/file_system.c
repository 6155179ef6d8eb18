/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <sys/statvfs.h>

int main(void) {
  struct statvfs about;
  assert(statvfs("/tmp", &about) == 0 && about.f_bsize >= 512 && about.f_namemax == 255);
  assert(statvfs("/none", &about) == -1 && errno == ENOENT);
  return 0;
}
