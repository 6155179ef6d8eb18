/* Three calls deep, reached through a pointer.
   expect: unsafe
   native: asan
   input: x=-1 */
#include "unfork.h"

static int table[2] = {1, 2};
static int read_at(int i) {
  return table[i]; /* BUG: out-of-bounds */
}
static int indirect(int (*f)(int), int i) { return f(i); }

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x >= -1 && x <= 1);
  return indirect(read_at, x) == 9;
}
