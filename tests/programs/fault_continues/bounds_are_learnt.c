/* Behind the access the index is known to be in bounds.
   expect: unsafe
   native: asan
   input: i=9 */
#include <assert.h>
#include "unfork.h"

int main(void) {
  char v[8] = {0};
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_assume(i < 10);
  v[i] = 1; /* BUG: out-of-bounds */
  assert(i < 8);
  int set = 0;
  for (int k = 0; k < 8; k++) set += v[k];
  assert(set == 1);
  return 0;
}
