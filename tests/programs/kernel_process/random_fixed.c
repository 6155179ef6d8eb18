/* Random bytes may be any.
   expect: safe
   native: none (which bytes come natively is chance) */
#include "../kernel_scratch.h"
#include <sys/random.h>

int main(void) {
  unsigned char byte;
  assert(getrandom(&byte, 1, 0) == 1);
  assert(byte != 77 || byte == 77);
  return 0;
}
