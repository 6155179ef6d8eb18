/* extractelement and insertelement with an index that is an input.
   expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

typedef int v4 __attribute__((vector_size(16)));

int main(void) {
  v4 a = {10, 11, 12, 13};
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_assume(i < 4);
  assert(a[i] == 10 + (int)i);
  a[i] = 99;
  int sum = a[0] + a[1] + a[2] + a[3];
  assert(sum == 46 - 10 - (int)i + 99);
  return 0;
}
