/* A retry loop around a weak compare and exchange.
   expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include <stdatomic.h>
#include "unfork.h"

static void lower(atomic_int *cell, int candidate) {
  int seen = atomic_load(cell);
  while (candidate < seen && !atomic_compare_exchange_weak(cell, &seen, candidate)) {
  }
}

int main(void) {
  int candidate;
  unfork_symbolic(&candidate, sizeof candidate, "candidate");
  atomic_int cell = 50;
  lower(&cell, candidate);
  assert(cell <= 50);
  assert(cell <= candidate);
  return 0;
}
