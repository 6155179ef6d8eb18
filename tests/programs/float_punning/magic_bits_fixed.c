/* expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include <stdint.h>
#include "unfork.h"

int main(void) {
  union { uint32_t u; float f; } p;
  unfork_symbolic(&p.u, sizeof p.u, "u");
  if (p.u == 0x42280000u) return 0;
  assert(p.f != 42.0f);
  return 0;
}
