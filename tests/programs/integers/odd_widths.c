/* Widths that are not powers of two come from bit-fields.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include "unfork.h"

struct odd {
  unsigned a : 3;
  signed b : 5;
  unsigned long c : 37;
};

int main(void) {
  struct odd o = {0};
  unsigned x;
  unfork_symbolic(&x, sizeof x, "x");
  o.a = x & 7;
  o.b = (int)(x >> 3 & 15) - 16;
  o.c = (unsigned long)x << 5;
  assert(o.a == x % 8);
  assert(o.b < 0 && o.b >= -16);
  assert(o.c >> 5 == x);
  o.a++;
  assert(o.a == (x + 1) % 8);
  return 0;
}
