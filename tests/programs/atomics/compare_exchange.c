/* expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include <stdatomic.h>
#include "unfork.h"

int main(void) {
  atomic_int n = 7;
  int expected;
  unfork_symbolic(&expected, sizeof expected, "expected");
  int before = expected;
  if (atomic_compare_exchange_strong(&n, &expected, 1)) {
    assert(before == 7 && n == 1);
  } else {
    assert(before != 7);
    assert(expected == 7 && n == 7);
  }
  return 0;
}
