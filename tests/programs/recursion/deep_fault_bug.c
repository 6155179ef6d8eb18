/* Only who came down on the one side at every level finds a divisor that is 0.
   expect: unsafe
   input: bits=0 */
#include <assert.h>
#include "unfork.h"

#ifndef DEPTH
#define DEPTH 5
#endif

static int divide(int n, unsigned bits, int sum) {
  if (n == 0) return 100 / sum; /* BUG: div-by-zero */
  if (bits & 1) return divide(n - 1, bits >> 1, sum + 1) + 1;
  return divide(n - 1, bits >> 1, sum);
}

int main(void) {
  unsigned bits;
  unfork_symbolic(&bits, sizeof bits, "bits");
  return divide(DEPTH, bits, 0) < 0;
}
