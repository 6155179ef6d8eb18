/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <sys/sysinfo.h>

int main(void) {
  struct sysinfo about;
  assert(sysinfo(&about) == 0 && about.uptime > 0 && about.procs > 0 && about.mem_unit > 0);
  assert(about.totalram > 0 && about.freeram <= about.totalram);
  return 0;
}
