/* The fault lies behind one of the two calls, at one level.
   expect: unsafe
   input: bits=4 */
#include <assert.h>
#include "unfork.h"

#ifndef DEPTH
#define DEPTH 5
#endif

static int table[2] = {1, 2};

static int down(int n, unsigned bits) {
  if (n == 0) return 0;
  if (bits & 1) {
    int below = down(n - 1, bits >> 1);
    return table[n - below]; /* BUG: out-of-bounds */
  }
  return down(n - 1, bits >> 1);
}

int main(void) {
  unsigned bits;
  unfork_symbolic(&bits, sizeof bits, "bits");
  unfork_assume((bits & 15) == 4);
  down(DEPTH, bits);
  return 0;
}
