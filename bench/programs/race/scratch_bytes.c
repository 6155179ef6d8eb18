/* One branch for each bit of a word, whose sides write different bytes of a scratch buffer: of each pair of bytes exactly
   one is written, and what is counted are the ones of the word.

   expect: safe
   native: asan
*/
#include <assert.h>

#include "unfork.h"

#ifndef BITS
#define BITS 32
#endif

int main(void) {
  unsigned char scratch[2 * BITS] = {0};
  unsigned flags;
  int ones = 0;

  unfork_symbolic(&flags, sizeof flags, "flags");
  for (int i = 0; i < BITS; ++i)
    if (flags >> i & 1)
      scratch[2 * i + 1] = (unsigned char)(i + 1);
    else
      scratch[2 * i] = (unsigned char)(i + 1);
  for (int i = 0; i < BITS; ++i) {
    assert(scratch[2 * i] + scratch[2 * i + 1] == i + 1);
    ones += scratch[2 * i + 1] != 0;
  }
  assert(ones <= BITS);
  assert(ones != 0 || (flags & (~0u >> (32 - BITS))) == 0);
  return 0;
}
