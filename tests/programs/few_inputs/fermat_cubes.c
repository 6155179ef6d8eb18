/* The sum of two cubes is no cube.
   expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned char a, b, c;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  unfork_symbolic(&c, sizeof c, "c");
  if (a == 0 || b == 0 || a >= 128 || b >= 128 || c >= 128) return 0;
  assert(a * a * a + b * b * b != c * c * c);
  return 0;
}
