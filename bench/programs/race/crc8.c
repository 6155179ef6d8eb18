/* A CRC-8, bit by bit, over a frame of N bytes: the frame with its checksum has the checksum 0, and no longer has it once
   any one bit is flipped.

   expect: safe
   native: asan
*/
#include <assert.h>

#include "unfork.h"

#ifndef N
#define N 4
#endif
#define POLYNOMIAL 0x07

static unsigned char crc8(const unsigned char *bytes, int count) {
  unsigned char crc = 0;

  for (int i = 0; i < count; ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit)
      if (crc & 0x80)
        crc = (unsigned char)(crc << 1 ^ POLYNOMIAL);
      else
        crc = (unsigned char)(crc << 1);
  }
  return crc;
}

int main(void) {
  unsigned char frame[N + 1];
  unsigned flipped;

  unfork_symbolic(frame, N, "frame");
  frame[N] = crc8(frame, N);
  assert(crc8(frame, N + 1) == 0);

  unfork_symbolic(&flipped, sizeof flipped, "flipped");
  unfork_assume(flipped < 8 * sizeof frame);
  frame[flipped / 8] ^= (unsigned char)(1 << flipped % 8);
  assert(crc8(frame, N + 1) != 0);
  return 0;
}
