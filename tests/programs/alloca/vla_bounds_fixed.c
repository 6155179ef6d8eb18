/* expect: safe
   native: asan */
#include "unfork.h"

int main(void) {
  int n, i;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_symbolic(&i, sizeof i, "i");
  unfork_assume(n >= 1 && n <= 3 && i >= 0 && i < n);
  int values[n];
  values[i] = 7;
  return values[i] - 7;
}
