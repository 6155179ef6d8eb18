/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int v[6] = {1, 2, 3, 4, 5, 6};
  unfork_symbolic(&v[2], 2 * sizeof v[0], "slice");
  assert(v[0] == 1 && v[1] == 2 && v[4] == 5 && v[5] == 6);
  int sum = v[2] ^ v[3];
  assert((sum ^ v[3]) == v[2]);
  return 0;
}
