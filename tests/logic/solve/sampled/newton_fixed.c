/* Newton's method: every turn asks about more divisions of doubles. What lies behind the loop does not depend on them.
   expect: unknown solver-unknown
   options: --hard sample
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  double square;
  unsigned char kind;
  unfork_symbolic(&square, sizeof square, "square");
  unfork_symbolic(&kind, sizeof kind, "kind");
  unfork_assume(square > 1.0 && square < 100.0);
  double root = square, before = 0;
  for (int turn = 0; turn < 12 && before != root; turn++) {
    before = root;
    root = (root + square / root) / 2;
  }
  if (root * root > square * 1.5) return 0;
  switch (kind) {
    case 1: return 0;
    case 2: return 0;
    case 4: assert(root > 0);
  }
  return 0;
}
