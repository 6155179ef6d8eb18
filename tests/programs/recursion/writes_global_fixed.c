/* Each level writes a variable, before or after its call.
   expect: safe */
#include <assert.h>
#include "unfork.h"

#ifndef DEPTH
#define DEPTH 5
#endif

static int before, after;

static int down(int n, unsigned bits) {
  int below;
  if (n == 0) return 7;
  if (bits & 1) {
    below = down(n - 1, bits >> 1);
    after++;
  } else {
    before++;
    below = down(n - 1, bits >> 1);
  }
  return below;
}

int main(void) {
  unsigned bits;
  unfork_symbolic(&bits, sizeof bits, "bits");
  assert(down(DEPTH, bits) == 7);
  assert(before + after == DEPTH);
  return 0;
}
