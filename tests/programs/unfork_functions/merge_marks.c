/* The marks change nothing in what is found.
   expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int x, bits = 0;
  unfork_symbolic(&x, sizeof x, "x");
  for (int i = 0; i < 3; i++) {
    unfork_merge_begin();
    if (x >> i & 1) bits++;
    unfork_merge_end();
  }
  assert(bits >= 0 && bits <= 3);
  assert((bits == 3) == ((x & 7) == 7));
  return 0;
}
