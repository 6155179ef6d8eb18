/* expect: safe
   paths: 3
   native: asan */
#include <assert.h>
#include "unfork.h"

static int add(int a) { return a + 1; }
static int twice(int a) { return 2 * a; }
static int zero(int a) { return a - a; }

int main(void) {
  int (*const table[])(int) = {add, twice, zero};
  unsigned x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x < 3);
  int y = table[x](10);
  assert(x == 0 ? y == 11 : x == 1 ? y == 20 : y == 0);
  return 0;
}
