/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  char a[8], b[8];
  char x;
  unfork_symbolic(&x, sizeof x, "x");
  __builtin_memset(a, x, sizeof a);
  __builtin_memcpy(b, a, 4);
  __builtin_memset(b + 4, 7, 4);
  __builtin_memmove(b + 1, b, 6);
  assert(b[0] == x);
  assert(b[4] == x);
  assert(b[5] == 7 && b[7] == 7);
  assert(__builtin_memcmp(a, a + 2, 5) == 0);
  return 0;
}
