/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdint.h>
#include "unfork.h"

int main(void) {
  uint64_t a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  unsigned __int128 sum = (unsigned __int128)a + b;
  assert((uint64_t)sum == a + b);
  assert((sum >> 64) == (a + b < a));
  return 0;
}
