/* Paths that know much of an input come to a place: what they cannot do there, others can.

   expect: unsafe
   native: asan
*/
#include "unfork.h"

static volatile int seen;

static void look(unsigned char a) {
  if (a > 20) {
    unsigned char c; /* a side with an input of its own is not looked at, so it is explored again */
    unfork_symbolic(&c, sizeof c, "c");
    if (c & 1)
      seen = 3;
  }
  if (a > 30)
    seen = 100 / (a - 42); /* BUG: div-by-zero */
}

int main(void) {
  unsigned char a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  look(b & 0x81); /* takes every branch, and is never 42 */
  if (b & 2) {
    if (a > 10)
      return 0;
  } else if (a < 15) {
    return 1;
  }
  if (b & 4)
    seen = 1;
  if (b & 8)
    seen = 2;
  look(a);
  return 0;
}
