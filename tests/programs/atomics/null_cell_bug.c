/* An atomic access checks its pointer like any other.
   expect: unsafe
   native: asan
   input: x=0 */
#include <stdatomic.h>
#include "unfork.h"

int main(void) {
  atomic_int cell = 1;
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  atomic_int *p = x ? &cell : 0;
  atomic_fetch_add(p, 1); /* BUG: null-dereference */
  return 0;
}
