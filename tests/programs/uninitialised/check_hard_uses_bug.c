/* Whether unwritten bytes matter may be hard to say, in a replay too.
   expect: unsafe
   options: --check uninitialised
   native: none (gcc has no check for uninitialised reads) */
#include "unfork.h"

int main(void) {
  int kind, first, second;
  double real;
  unfork_symbolic(&kind, sizeof kind, "kind");
  if (kind == 1 && real > 1.5) return 1; /* BUG: uninitialised */
  if (kind == 2 && first * second == 77777) return 1; /* BUG: uninitialised */
  return 0;
}
