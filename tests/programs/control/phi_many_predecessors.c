/* expect: safe
   paths: 5
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int y;
  if (x < 0)
    y = 1;
  else if (x < 10)
    y = 2;
  else if (x < 100)
    y = 3;
  else if (x < 1000)
    y = 4;
  else
    y = 5;
  assert((x < 0) == (y == 1));
  assert((x >= 1000) == (y == 5));
  return 0;
}
