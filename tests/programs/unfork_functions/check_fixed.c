/* expect: safe
   native: asan */
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x != 8);
  unfork_check(x != 8);
  return 0;
}
