/* expect: safe
   options: --check overflow
   native: asan */
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int y = (int)((unsigned)x + 1);
  return y == 0 ? 0 : 0;
}
