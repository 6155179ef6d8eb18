/* expect: safe
   paths: 3
   native: asan */
#include <assert.h>
#include "unfork.h"

static int sum_of_squares(int n) {
  int squares[n];
  for (int i = 0; i < n; i++) squares[i] = i * i;
  int sum = 0;
  for (int i = 0; i < n; i++) sum += squares[i];
  return sum;
}

int main(void) {
  int n;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_assume(n >= 1 && n <= 3);
  int s = sum_of_squares(n);
  assert(s == (n - 1) * n * (2 * n - 1) / 6);
  return 0;
}
