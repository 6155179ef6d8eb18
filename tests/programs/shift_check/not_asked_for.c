/* Without the check of shifts an oversize shift is no fault, nor is one of a negative number with the check of amounts.
   expect: safe
   options: --check memory,shift
   native: none (a sanitizer would object) */
#include "unfork.h"

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  volatile int minus = -1;
  int mask = 1 << (n & 31), low = minus << (n & 31);
  return mask + low == -1 && n % 32 == 0 ? 0 : 0;
}
