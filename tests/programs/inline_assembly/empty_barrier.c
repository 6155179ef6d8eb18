/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int y = x;
  __asm__ volatile("" ::: "memory");
  assert(y == x);
  return 0;
}
