/* A symbolic priority does not fork over its values; who is no superuser only becomes nicer.
   expect: safe
   native: none (who runs the test is chance) */
#include "../kernel_scratch.h"
#include "unfork.h"
#include <sys/resource.h>

int main(void) {
  int wanted;
  unfork_symbolic(&wanted, sizeof wanted, "wanted");
  assert(getpriority(PRIO_PROCESS, 0) == 0);
  if (setpriority(PRIO_PROCESS, 0, wanted) == 0) {
    int now = getpriority(PRIO_PROCESS, 0);
    assert(wanted >= 0 && now == (wanted > 19 ? 19 : wanted) && (now == 0 || nice(-1) == -1));
  } else {
    assert(wanted < 0 && errno == EACCES && getpriority(PRIO_USER, getuid()) == 0);
  }
  assert(setpgid(0, 0) == -1 && errno == EPERM && setsid() == -1 && errno == EPERM);
  return 0;
}
