/* expect: unsafe
   native: asan
   input: slice=9,4 */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int v[6] = {1, 2, 3, 4, 5, 6};
  unfork_symbolic(&v[2], 2 * sizeof v[0], "slice");
  for (int i = 1; i < 6; i++) {
    if (v[i - 1] == 9 && v[i] == 4) assert(0); /* BUG: assert */
  }
  return 0;
}
