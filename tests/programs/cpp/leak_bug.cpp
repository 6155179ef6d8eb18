/* One of the ways out of a function does not delete.
   expect: unsafe
   options: --check leak
   native: asan
   input: x=9 */
#include "unfork.h"

static int sum(int count) {
  int *values = new int[4](); /* BUG: leak */
  if (count > 4) return -1;
  int total = 0;
  for (int i = 0; i < count; i++) total += values[i];
  delete[] values;
  return total;
}

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  return sum(x) == 7;
}
