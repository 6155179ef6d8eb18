/* Sums, differences and products of two words, as headers for large numbers have them.
   expect: safe
   paths: 1
   args: --sym-arg 1
   native: asan */
#include <assert.h>
#include <stdint.h>

int main(int argc, char **argv) {
  uint64_t x = -(uint64_t)(unsigned char)(argc > 1 ? argv[1][0] : 1) - 1, high, low;
  unsigned __int128 wide = x;
  __asm__("mulq\t%3" : "=a"(low), "=d"(high) : "%0"(x), "rm"((uint64_t)3));
  assert(low == (uint64_t)(wide * 3) && high == (uint64_t)(wide * 3 >> 64));
  __asm__("addq %5,%q1\n\tadcq %3,%q0" : "=r"(high), "=&r"(low)
          : "0"((uint64_t)1), "rme"((uint64_t)2), "%1"(x), "rme"((uint64_t)5));
  assert(low == x + 5 && high == 3 + (x + 5 < x));
  __asm__("subq %5,%q1\n\tsbbq %3,%q0" : "=r"(high), "=&r"(low)
          : "0"((uint64_t)7), "rme"((uint64_t)2), "1"((uint64_t)5), "rme"(x));
  assert(low == 5 - x && high == 5 - (5 < x));
  return 0;
}
