/* What is called next is part of a state.
   expect: unsafe
   input: x=0 x=0 x=0 x=0 x=20 */
#include "unfork.h"

typedef int (*handler)(int);
static int same(int x) { return x; }
static int other(int x) { return x ^ 1; }
static int fail(int x) { return 10 / x; } /* BUG: div-by-zero */

int main(void) {
  handler next = same;
  int value = 0;
  for (int i = 0; i < 5; i++) {
    unsigned char x;
    unfork_symbolic(&x, 1, "x");
    value = next(value);
    if (x < 10)
      next = other;
    else if (x < 20)
      next = same;
    else if (x == 20 && i == 4)
      next = fail;
  }
  return next(value);
}
