/* A switch on 64 bits with cases beyond 32.
   expect: safe
   paths: 4
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned long x;
  unfork_symbolic(&x, sizeof x, "x");
  int found = 0;
  switch (x) {
  case 0x100000000ul: found = 1; break;
  case 0xfffffffffffffffful: found = 2; break;
  case 1: found = 3; break;
  }
  if (found == 1) assert((unsigned)x == 0);
  if (found == 2) assert(x + 1 == 0);
  if (found == 3) assert(x == 1);
  return 0;
}
