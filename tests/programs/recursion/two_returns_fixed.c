/* Each level takes one of two calls, and in one of them adds something to what it returns.
   expect: safe
   paths: 32 */
#include <assert.h>
#include "unfork.h"

#ifndef DEPTH
#define DEPTH 5
#endif

static unsigned ones(int n, unsigned bits) {
  if (n == 0) return 0;
  if (bits & 1) return 1 + ones(n - 1, bits >> 1);
  return ones(n - 1, bits >> 1);
}

int main(void) {
  unsigned bits;
  unfork_symbolic(&bits, sizeof bits, "bits");
  assert(ones(DEPTH, bits) <= DEPTH);
  return 0;
}
