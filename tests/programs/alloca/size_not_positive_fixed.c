/* expect: safe
   native: asan */
#include "unfork.h"

int main(void) {
  int n;
  unfork_symbolic(&n, sizeof n, "n");
  if (n < 1 || n > 8) return 0;
  char array[n];
  array[n - 1] = 1;
  return array[n - 1] - 1;
}
