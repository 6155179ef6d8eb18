/* Any pointer: the labels are the only targets, and there is no path beside them and the fault.
   expect: unsafe
   paths: 4
   native: none (jumps to where no code is) */
#include "unfork.h"

int main(void) {
  void *where;
  unfork_symbolic(&where, sizeof where, "where");
  static void *const labels[] = {&&a, &&b, &&c, &&a};
  if (where == labels[3] && labels[0] != labels[3]) return 3;
  goto *where; /* BUG: invalid-call */
a:
  return 0;
b:
  return 1;
c:
  return 2;
}
