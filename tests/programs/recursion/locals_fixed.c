/* What is called writes a local of its caller, which waits at one call or the other.
   expect: safe */
#include <assert.h>
#include "unfork.h"

#ifndef DEPTH
#define DEPTH 5
#endif

static void fill(int n, unsigned bits, int *result) {
  int odd = 1, even[2] = {2, 3};
  if (n == 0) {
    *result = 10;
    return;
  }
  if (bits & 1) {
    fill(n - 1, bits >> 1, &odd);
    *result = odd;
  } else {
    fill(n - 1, bits >> 1, &even[1]);
    *result = even[1] + even[0] - 2;
  }
}

int main(void) {
  unsigned bits;
  int result;
  unfork_symbolic(&bits, sizeof bits, "bits");
  fill(DEPTH, bits, &result);
  assert(result == 10);
  return 0;
}
