/* An array of several pages becomes an object of any length: pointers to all of its elements keep their numbers, one beyond the end, too.
   expect: unsafe
   options: --data-model ILP32 --loops abstract
   native: none (for 32 bits) */
#include "unfork.h"

static int filled[2000];

int main(void) {
  int n, at;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_symbolic(&at, sizeof at, "at");
  unfork_assume(n >= 1990 && n <= 2000 && at >= 1990 && at <= n);
  for (int i = 1990; i < n; i++) filled[i] = i;
  int *held = &filled[at], **where = &held;
  __asm__ volatile("" : "+r"(where) : : "memory");
  if (n == 2000) unfork_check(**where >= 0); /* BUG: out-of-bounds */
  unfork_check(*where == filled + at);
  return 0;
}
