/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <string.h>
#include "unfork.h"

struct mixed { int known; int unknown; char tail[3]; };

int main(void) {
  struct mixed a = {7, 0, "ab"}, b, c;
  unfork_symbolic(&a.unknown, sizeof a.unknown, "u");
  memcpy(&b, &a, sizeof b);
  c = b;
  a.unknown = 0;
  assert(c.known == 7 && c.tail[1] == 'b');
  assert(c.unknown == b.unknown);
  return 0;
}
