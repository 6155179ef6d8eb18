/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  char a[8], b[8];
  unfork_symbolic(a, sizeof a, "a");
  memcpy(b, a, sizeof a);
  assert(memcmp(a, b, sizeof a) == 0);
  assert(memcpy(b, a, 3) == b);
  return 0;
}
