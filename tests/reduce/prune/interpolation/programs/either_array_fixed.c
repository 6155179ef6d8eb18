/* The compiler makes a choice of the pointer: on each path the index fits one of the arrays, and not always the other.
   expect: safe
   options: --cflags "-O2"
   native: asan */
#include "unfork.h"

int small[4], large[64];

int main(void) {
  unsigned i, is_small, k;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_symbolic(&is_small, sizeof is_small, "is_small");
  unfork_symbolic(&k, sizeof k, "k");
  int r = 0;
  if (is_small ? i >= 4 : i >= 64 || i < 20) return 0;
  if (k & 1) r++;
  if (k & 2) r++;
  int *arrays[2] = {large, small};
  if (k & 4) r += 2;
  r += arrays[is_small != 0][i];
  if (k & 8) r += 3;
  if (k & 16) r += 3;
  return r > 100;
}
