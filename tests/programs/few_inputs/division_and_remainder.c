/* Remainders of products: (a * b) mod m from the remainders of a and b.
   expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned char a, b, m;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  unfork_symbolic(&m, sizeof m, "m");
  if (m == 0 || m >= 64) return 0;
  assert((unsigned)a * b % m == (unsigned)(a % m) * (b % m) % m);
  return 0;
}
