/* expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned char next[5] = {3, 0, 1, 4, 2};
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_assume(i < 5);
  unsigned at = i;
  for (int k = 0; k < 5; k++) at = next[at];
  assert(at == i);
  return 0;
}
