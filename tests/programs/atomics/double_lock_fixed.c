/* expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include <stdatomic.h>
#include "unfork.h"

int main(void) {
  atomic_flag lock = ATOMIC_FLAG_INIT;
  int twice;
  unfork_symbolic(&twice, sizeof twice, "twice");
  if (twice) {
    atomic_flag_test_and_set(&lock);
    atomic_flag_clear(&lock);
  }
  assert(!atomic_flag_test_and_set(&lock));
  return 0;
}
