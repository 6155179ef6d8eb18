/* Machine code reads the bytes of a pointer as those of its number.
   expect: unsafe
   native: asan
   input: x=7 */
#include <stdint.h>
#include "unfork.h"

static int values[4];

int main(void) {
  unsigned char x;
  unfork_symbolic(&x, 1, "x");
  int *p = &values[1], *copy;
  unsigned char *bytes = (unsigned char *)&p;
  unsigned wrong = 0;
  for (int turn = 0; turn < 3000; turn++) {
    wrong += bytes[5] != ((uintptr_t)p >> 40 & 255);
    wrong += ((uint32_t *)bytes)[1] != (uintptr_t)p >> 32;
    wrong += ((uint16_t *)bytes)[2] != ((uintptr_t)p >> 32 & 65535);
    for (int i = 0; i < 8; i++) ((unsigned char *)&copy)[i] = bytes[i];
    p = turn % 3 ? copy : &values[turn % 4];
    wrong += copy != p && turn % 3;
  }
  if (wrong == 0) unfork_check(x != 7); /* BUG: assert */
  return 0;
}
