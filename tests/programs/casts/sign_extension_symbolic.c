/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  signed char c;
  unfork_symbolic(&c, sizeof c, "c");
  int wide = c;
  unsigned char raw = (unsigned char)c;
  assert(wide == (raw ^ 128) - 128);
  assert((wide < 0) == (raw >= 128));
  assert((signed char)wide == c);
  return 0;
}
