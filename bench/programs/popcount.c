/* Counts the ones among the low BITS bits of a symbolic word by testing each: 2^BITS paths.

   expect: safe
   paths: 256
   native: asan
*/
#include <assert.h>

#include "unfork.h"

#ifndef BITS
#define BITS 8
#endif

int main(void) {
  unsigned word;
  int ones = 0;

  unfork_symbolic(&word, sizeof word, "word");
  for (int bit = 0; bit < BITS; ++bit)
    if (word >> bit & 1)
      ++ones;
  assert(ones <= BITS);
  return 0;
}
