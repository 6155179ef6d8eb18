/* The Fletcher-16 checksum of N bytes in two ways, with a subtraction after each sum and with a division at the end: they
   agree.

   expect: safe
   native: asan
*/
#include <assert.h>

#include "unfork.h"

#ifndef N
#define N 10
#endif

static unsigned by_subtraction(const unsigned char *bytes) {
  unsigned low = 0, high = 0;

  for (int i = 0; i < N; ++i) {
    low += bytes[i];
    if (low >= 255)
      low -= 255;
    high += low;
    if (high >= 255)
      high -= 255;
  }
  return high << 8 | low;
}

static unsigned by_division(const unsigned char *bytes) {
  unsigned low = 0, high = 0;

  for (int i = 0; i < N; ++i) {
    low += bytes[i];
    high += low;
  }
  return high % 255 << 8 | low % 255;
}

int main(void) {
  unsigned char bytes[N];
  unsigned checksum;

  unfork_symbolic(bytes, sizeof bytes, "bytes");
  checksum = by_subtraction(bytes);
  assert((checksum & 0xff) < 255);
  assert(checksum >> 8 < 255);
  assert(checksum == by_division(bytes));
  return 0;
}
