/* expect: safe
   options: --fail 1
   native: none (nothing fails there) */
#define GIVE_UP exit(0)
#include "../kernel_scratch.h"

int main(void) {
  long count = write(1, "abcd", 4);
  assert(count < 0 || (count > 0 && count <= 4));
  return 0;
}
