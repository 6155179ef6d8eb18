/* A float computed from symbolic bits meets a special value.
   expect: unsafe
   native: asan
   input: u=0x42280000 */
#include <assert.h>
#include <stdint.h>
#include "unfork.h"

int main(void) {
  union { uint32_t u; float f; } p;
  unfork_symbolic(&p.u, sizeof p.u, "u");
  assert(p.f != 42.0f); /* BUG: assert */
  return 0;
}
