/* expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include "unfork.h"

static int ready, payload;

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  payload = x;
  __asm__ __volatile__("" : : : "memory");
  if (x > 5) ready = 1;
  __asm__ __volatile__("" : : : "memory");
  assert(ready == (payload > 5));
  return 0;
}
