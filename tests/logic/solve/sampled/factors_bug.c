/* A product of two unknown words: no solver factors it. Behind it, both sides of what is about other inputs are met.
   expect: unsafe
   options: --hard sample
   native: asan
   input: a=3 b=5 index=8 */
#include <stdint.h>
#include "unfork.h"

int main(void) {
  uint64_t a, b;
  unsigned char index;
  int table[8] = {0};
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  unfork_symbolic(&index, sizeof index, "index");
  if (a < 2 || b < 2) return 0;
  if (a * b == 0xfffffffb00000005 && a < 1ul << 33 && b < 1ul << 33) return 1;
  if (a % (b | 1) * (b % a) == 123456789123) return 2;
  if (index > 8) return 3;
  return table[index]; /* BUG: out-of-bounds */
}
