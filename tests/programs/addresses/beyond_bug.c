/* A number that is made into a pointer names the object that it was made of, or what lies in front of it and behind it.
   expect: unsafe
   native: asan
   input: n=16 */
#include <stdint.h>
#include "unfork.h"

static char block[16];

int main(void) {
  unsigned char n;
  unfork_symbolic(&n, 1, "n");
  unfork_assume(n <= 16);
  *(char *)((uintptr_t)block + n) = 1; /* BUG: out-of-bounds */
  return 0;
}
