/* Random bytes may be any.
   expect: unsafe
   native: none (which bytes come natively is chance) */
#include "../kernel_scratch.h"
#include <sys/random.h>

int main(void) {
  unsigned char byte;
  assert(getrandom(&byte, 1, 0) == 1);
  assert(byte != 77); /* BUG: assert */
  return 0;
}
