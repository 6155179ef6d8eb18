/* Without the check a shift by the width or more does what the processor does: some bits of the amount count.
   expect: safe
   options: --check memory,div,unreachable
   native: clang */
#include <assert.h>
#include "unfork.h"

static unsigned spread(unsigned short x, unsigned short y) {
  unsigned z = 0;
  for (unsigned i = 0; i < 32; i++) z |= (x & (1U << i)) << i | (y & (1U << i)) << (i + 1);
  return z;
}

int main(void) {
  unsigned value, amount;
  unsigned short x, y;
  unfork_symbolic(&value, sizeof value, "value");
  unfork_symbolic(&amount, sizeof amount, "amount");
  unfork_symbolic(&x, sizeof x, "x");
  unfork_symbolic(&y, sizeof y, "y");
  int number = (int)value;
  unsigned long wide = value * 5ul;
  assert(value << amount == value << (amount & 31));
  assert(value >> amount == value >> (amount & 31));
  assert(number >> amount == number >> (amount & 31));
  assert(wide << amount == wide << (amount & 63));
  assert((unsigned char)((unsigned char)value >> amount) == (unsigned char)value >> (amount & 31));
  volatile int far = 33, further = 130;
  __int128 widest = 5;
  assert(1 << far == 2 && (int)(widest << further) == 20);
  assert(!(spread(x, 0) & 0xaaaaaaaa) && !(spread(0, y) & 0x55555555));
  return 0;
}
