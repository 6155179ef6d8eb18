/* The flag was already taken, so the check of the try fails.
   expect: unsafe
   native: asan
   input: twice=1 */
#include <assert.h>
#include <stdatomic.h>
#include "unfork.h"

int main(void) {
  atomic_flag lock = ATOMIC_FLAG_INIT;
  int twice;
  unfork_symbolic(&twice, sizeof twice, "twice");
  if (twice) atomic_flag_test_and_set(&lock);
  assert(!atomic_flag_test_and_set(&lock)); /* BUG: assert */
  return 0;
}
