/* expect: safe
   native: asan */
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_assume(i < 5);
  uint32_t word;
  memcpy(&word, bytes + i, 4);
  assert((word & 255) == i + 1);
  assert(word >> 24 == i + 4);
  return 0;
}
