/* Three calls at each level, one of them in a loop, and one after another.
   expect: safe */
#include <assert.h>
#include "unfork.h"

#ifndef DEPTH
#define DEPTH 5
#endif

static unsigned walk(int n, unsigned ways) {
  if (n <= 0) return 0;
  switch (ways & 3) {
  case 0: return walk(n - 1, ways >> 2) + 1;
  case 1: {
    unsigned sum = 0;
    for (int i = 0; i < 2; i++) sum += walk(n - 2, ways >> 2);
    return sum + 1;
  }
  case 2: return walk(n - 2, ways >> 2) + walk(n - 2, ways >> 4);
  default: return walk(n - 1, ways >> 1);
  }
}

int main(void) {
  unsigned ways;
  unfork_symbolic(&ways, sizeof ways, "ways");
  assert(walk(DEPTH - 1, ways) <= 8);
  return 0;
}
