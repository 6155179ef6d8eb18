/* expect: safe
   native: asan */
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  float f, g;
  uint32_t u;
  unfork_symbolic(&f, sizeof f, "f");
  if (!(f > 0.0f && f < 1e30f)) return 0;
  memcpy(&u, &f, 4);
  u &= 0xffff0000u;
  memcpy(&g, &u, 4);
  assert(g <= f);
  return 0;
}
