/* expect: safe
   paths: 2
   native: asan */
#include "unfork.h"

int main(void) {
  static int table[4];
  int x;
  unsigned i = 0;
  unfork_symbolic(&x, sizeof x, "x");
  if (x == 7) i = 2;
  return table[i];
}
