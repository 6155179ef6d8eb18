/* expect: safe
   native: asan */
#include <assert.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  unsigned char a[2], b[2];
  unfork_symbolic(a, sizeof a, "a");
  unfork_symbolic(b, sizeof b, "b");
  int order = memcmp(a, b, 2);
  unsigned x = a[0] * 256u + a[1], y = b[0] * 256u + b[1];
  assert((order < 0) == (x < y));
  assert((order > 0) == (x > y));
  return 0;
}
