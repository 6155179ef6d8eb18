/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdint.h>

int main(void) {
  uint64_t highest;
  uint32_t lowest;
  __asm__("bsr\t%1,%0" : "=r"(highest) : "rm"((uint64_t)0x90));
  __asm__("bsf\t%1, %q0" : "=r"(lowest) : "rm"((uint64_t)0x90));
  assert(highest == 7 && lowest == 4);
  return 0;
}
