/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

int main(void) {
  volatile unsigned x = 0x00f0f001u;
  volatile unsigned long w = 0x0100000000000000ul;
  assert(__builtin_popcount(x) == 9 && __builtin_popcountl(w) == 1);
  assert(__builtin_clz(x) == 8 && __builtin_ctz(x) == 0);
  assert(__builtin_clzl(w) == 7 && __builtin_ctzl(w) == 56);
  assert(__builtin_ffs((int)x) == 1 && __builtin_ffsl((long)w) == 57 && __builtin_ffs(0) == 0);
  assert(__builtin_parity(x) == 1);
  assert(__builtin_clrsb(-1) == 31 && __builtin_clrsb(1) == 30);
  return 0;
}
