/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned word = 0x11223344;
  unsigned char b;
  unfork_symbolic(&b, sizeof b, "b");
  ((unsigned char *)&word)[1] = b;
  assert((word & 0xffff00ffu) == 0x11220044);
  assert((word >> 8 & 255) == b);
  return 0;
}
