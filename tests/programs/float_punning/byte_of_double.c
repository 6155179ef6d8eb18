/* expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  double d;
  unfork_symbolic(&d, sizeof d, "d");
  if (!(d < 0)) return 0;
  unsigned char *raw = (unsigned char *)&d;
  assert(raw[7] & 0x80);
  return 0;
}
