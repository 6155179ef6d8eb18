/* A quotient in double, rounded to a float, is the float quotient: 53 bits are more than twice 24.
   expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned short a;
  unsigned char b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  if (a >= 1 << 14 || b == 0) return 0;
  assert((float)((double)a / (double)b) == (float)a / (float)b);
  return 0;
}
