/* A macro's code is at the line of its use.
   expect: unsafe
   native: asan
   input: a=0 */
#include "unfork.h"

#define RATIO(a, b) \
  ((a) / \
   (b))

int main(void) {
  unsigned a;
  unfork_symbolic(&a, sizeof a, "a");
  unsigned r = RATIO(10u, a); /* BUG: div-by-zero */
  return r == 11;
}
