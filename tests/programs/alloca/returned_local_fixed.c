/* expect: safe
   paths: 2
   native: asan */
#include "unfork.h"

static int *escape(int x) {
  static int kept[2];
  kept[0] = x;
  return kept;
}

static int other = 5;

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int *p = x == 1 ? escape(x) : &other;
  return *p == 9;
}
