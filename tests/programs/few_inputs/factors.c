/* A product of two primes has no other factors.
   expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned short a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  if (a < 2 || b < 2 || a >= 2048 || b >= 2048) return 0;
  if ((unsigned)a * b == 1999u * 2003u) assert(a == 1999 || a == 2003);
  return 0;
}
