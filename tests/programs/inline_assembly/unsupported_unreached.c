/* Assembly that no path reaches does no harm.
   expect: safe
   paths: 1
   native: asan */
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  if ((x & 1) == 2) __asm__ volatile("hlt");
  return 0;
}
