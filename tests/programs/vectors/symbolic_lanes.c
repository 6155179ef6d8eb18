/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include "unfork.h"

typedef unsigned v4 __attribute__((vector_size(16)));

int main(void) {
  v4 a;
  unfork_symbolic(&a, sizeof a, "a");
  v4 twice = a + a, shifted = a << 1;
  for (int i = 0; i < 4; i++) assert(twice[i] == shifted[i]);
  v4 same = a ^ a;
  assert(same[0] == 0 && same[3] == 0);
  return 0;
}
