/* expect: safe
   paths: 1
   native: clang */
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

int main(void) {
  _Atomic uint8_t small = 255;
  _Atomic uint64_t wide = 0xffffffffull;
  small++;
  wide += 1;
  assert(small == 0 && wide == 0x100000000ull);
  _Atomic(int *) p;
  int cells[3] = {1, 2, 3};
  atomic_init(&p, cells);
  atomic_fetch_add(&p, 2);
  assert(*atomic_load(&p) == 3);
  return 0;
}
