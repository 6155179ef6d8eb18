/* expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x == 77) return 0;
  assert(x != 77);
  return 0;
}
