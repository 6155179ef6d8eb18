/* Run lengths: four and more equal bytes, and every run of the escape byte, become escape, length, byte. The buffer is
   twice as large as the input, which is too small if every other byte of an odd number is the escape byte.

   expect: unsafe
   native: asan
   input: bytes=hex:1b001b001b001b
*/
#include <assert.h>

#include "unfork.h"

#ifndef N
#define N 7
#endif
#define ESCAPE 0x1b
#define SHORT 3

static unsigned char packed[2 * N];
static int length;

static void put(unsigned char byte) {
  packed[length++] = byte; /* BUG: out-of-bounds */
}

static void pack(const unsigned char *bytes) {
  for (int i = 0, run; i < N; i += run) {
    for (run = 1; i + run < N && bytes[i + run] == bytes[i]; ++run)
      ;
    if (bytes[i] == ESCAPE || run > SHORT) {
      put(ESCAPE);
      put((unsigned char)run);
      put(bytes[i]);
    } else {
      for (int j = 0; j < run; ++j)
        put(bytes[i]);
    }
  }
}

int main(void) {
  unsigned char bytes[N], again[N];
  int count = 0;

  unfork_symbolic(bytes, sizeof bytes, "bytes");
  pack(bytes);
  for (int i = 0; i < length; ++i)
    if (packed[i] == ESCAPE) {
      for (int run = packed[++i]; run > 0; --run)
        again[count++] = packed[i + 1];
      ++i;
    } else {
      again[count++] = packed[i];
    }
  assert(count == N);
  for (int i = 0; i < N; ++i)
    assert(again[i] == bytes[i]);
  return 0;
}
