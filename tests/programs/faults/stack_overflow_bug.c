/* A recursion without end for odd numbers.
   expect: unsafe
   native: asan
   input: n=1 */
#include "unfork.h"

static unsigned half_way(unsigned n) {
  volatile char room[4096];
  room[n & 7] = 1;
  if (n == 0) return 0;
  return half_way(n - 2) + 1; /* BUG: stack-overflow */
}

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  return half_way(n & 1 ? 9 : 8) == 7;
}
