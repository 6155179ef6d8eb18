/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <sys/utsname.h>

int main(void) {
  struct utsname name;
  assert(uname(&name) == 0 && !strcmp(name.sysname, "Linux") && !strcmp(name.machine, "x86_64"));
  return 0;
}
