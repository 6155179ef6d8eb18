/* expect: safe
   native: asan */
#include "unfork.h"

static unsigned half_way(unsigned n) {
  volatile char room[4096];
  room[n & 7] = 1;
  if (n <= 1) return 0;
  return half_way(n - 2) + 1;
}

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  return half_way(n & 1 ? 9 : 8) == 7;
}
