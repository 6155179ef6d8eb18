/* The bits of a sum: the result of an operation is punned, not an input.
   expect: safe
   native: asan */
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  float f;
  unfork_symbolic(&f, sizeof f, "f");
  if (!(f >= 1.0f && f <= 2.0f)) return 0;
  float g = f + 1.0f;
  uint32_t u;
  memcpy(&u, &g, 4);
  assert(u >= 0x40000000u && u <= 0x40400000u);
  return 0;
}
