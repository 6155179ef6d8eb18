/* expect: safe
   native: asan */
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  float f;
  uint32_t u;
  unfork_symbolic(&f, sizeof f, "f");
  if (!(f >= 1.0f && f < 1024.0f)) return 0;
  memcpy(&u, &f, 4);
  int exponent = (int)(u >> 23) - 127;
  assert(exponent >= 0 && exponent < 10);
  assert(f >= (float)(1 << exponent));
  assert(f < (float)(2 << exponent));
  return 0;
}
