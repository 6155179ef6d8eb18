/* An odd number times its inverse modulo 2^8 is one: proved for all of them.
   expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned char a;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_assume(a & 1);
  unsigned char x = a;
  for (int i = 0; i < 3; i++) x = (unsigned char)(x * (2 - a * x));
  assert((unsigned char)(a * x) == 1);
  return 0;
}
