/* What is added to the result is computed before the call, on each side its own.
   expect: unsafe
   input: bits=5 */
#include <assert.h>
#include "unfork.h"

#ifndef DEPTH
#define DEPTH 5
#endif

static unsigned sum(unsigned n, unsigned bits) {
  if (n == 0) return 0;
  if (bits & 1) {
    unsigned odd = n ^ 5;
    return sum(n - 1, bits >> 1) + odd;
  }
  unsigned even = n + (bits & 2);
  return sum(n - 1, bits >> 1) + 2 * even;
}

int main(void) {
  unsigned bits;
  unfork_symbolic(&bits, sizeof bits, "bits");
  unfork_assume((bits & 3) == 1 && bits < 32);
  assert(sum(DEPTH, bits) != 24); /* BUG: assert */
  return 0;
}
