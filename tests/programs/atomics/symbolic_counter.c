/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdatomic.h>
#include "unfork.h"

int main(void) {
  unsigned start, step;
  unfork_symbolic(&start, sizeof start, "start");
  unfork_symbolic(&step, sizeof step, "step");
  atomic_uint n;
  atomic_init(&n, start);
  for (int i = 0; i < 3; i++) atomic_fetch_add_explicit(&n, step, memory_order_relaxed);
  assert(atomic_load_explicit(&n, memory_order_acquire) == start + 3 * step);
  return 0;
}
