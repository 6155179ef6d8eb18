/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include "unfork.h"

struct flags {
  unsigned ready : 1;
  unsigned level : 4;
  int offset : 6;
  unsigned : 0;
  unsigned rest : 12;
};

int main(void) {
  struct flags f = {0};
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  f.level = (unsigned)x;
  f.offset = -32;
  f.rest = 0xabc;
  f.ready = 1;
  assert(f.level == ((unsigned)x & 15));
  assert(f.offset == -32 && f.rest == 0xabc && f.ready);
  f.level = 0;
  f.offset += 40;
  assert(f.offset == 8 && f.level == 0 && f.ready);
  assert(sizeof f == 8);
  return 0;
}
