/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <string.h>

int main(void) {
  const char *path = "usr/lib/file.c";
  assert(strchr(path, '/') == path + 3 && strrchr(path, '/') == path + 7);
  assert(strchr(path, 'z') == 0 && strchr(path, 0) == path + 14);
  assert(strstr(path, "lib") == path + 4 && strstr(path, "lob") == 0);
  assert(strncmp(path, "usr/bin", 4) == 0 && strncmp(path, "usr/bin", 5) > 0);
  return 0;
}
