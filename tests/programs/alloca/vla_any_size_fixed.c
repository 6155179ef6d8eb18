/* expect: safe
   native: asan */
#include <alloca.h>
#include "unfork.h"

int main(void) {
  unsigned n, i;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_symbolic(&i, sizeof i, "i");
  unfork_assume(n > 0 && n < 5);
  int a[n];
  char *end = alloca(n + 1);
  end[n] = 1;
  for (unsigned k = 0; k < n; k++) a[k] = 0;
  if (i < n) a[i] = 7;
  int sum = 0;
  for (unsigned k = 0; k < n; k++) sum += a[k];
  unfork_check(sum == (i < n ? 7 : 0));
  unfork_check(sizeof a == 4 * n);
  return 0;
}
