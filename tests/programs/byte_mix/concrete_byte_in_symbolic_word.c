/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned long w, before;
  unfork_symbolic(&w, sizeof w, "w");
  before = w;
  ((unsigned char *)&w)[7] = 0;
  assert(w == (before & 0x00fffffffffffffful));
  ((unsigned short *)&w)[0] = 0xffff;
  assert((w & 0xffff) == 0xffff);
  return 0;
}
