/* expect: safe
   native: asan */
#include "unfork.h"

int main(void) {
  int a = 1, b = 2, d = 4;
  int *cells[4] = {&a, &b, 0, &d};
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_assume(i < 4);
  if (cells[i] == 0) return 0;
  return *cells[i] == 9;
}
