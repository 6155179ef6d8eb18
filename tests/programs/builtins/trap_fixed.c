/* expect: safe
   paths: 2
   native: asan */
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x == -5) return 0;
  if (x == -5) __builtin_trap();
  return 0;
}
