/* expect: safe
   native: asan
   options: --cflags "-O1" */
#include <assert.h>
#include "unfork.h"

static int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int y = clamp(x, -10, 10);
  assert(y >= -10 && y <= 10);
  assert(y == x || x < -10 || x > 10);
  return 0;
}
