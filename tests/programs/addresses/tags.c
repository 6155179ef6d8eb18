/* Tags in the low bits and in the upper sixteen, halves, exclusive or, and pointers in doubles.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct cell {
  uintptr_t link;
  int value;
};

static uint64_t boxed(void *pointer) { return (uint64_t)(uintptr_t)pointer | 0xfffc000000000000u; }
static void *unboxed(uint64_t word) { return (void *)(uintptr_t)(word & 0x0000ffffffffffffu); }

int main(void) {
  struct cell *one = malloc(sizeof *one), local = {0, 2};
  static struct cell global = {0, 3};
  one->value = 1;
  struct cell *all[] = {one, &local, &global};
  for (int i = 0; i < 3; i++) {
    struct cell *p = all[i];
    uintptr_t word = (uintptr_t)p;
    assert((word & 7) == 0 && word >> 48 == 0 && (word & 0xffff000000000000u) == 0 && (intptr_t)word > 4096);
    assert(((struct cell *)((word | 5) & ~(uintptr_t)7))->value == i + 1);
    assert(((struct cell *)((word | (uintptr_t)0xabcd << 48) << 16 >> 16))->value == i + 1);
    uint32_t low = (uint32_t)word, high = (uint32_t)(word >> 32);
    assert((struct cell *)((uintptr_t)high << 32 | low) == p);
    uint64_t box = boxed(p);
    double number;
    memcpy(&number, &box, 8);
    assert(number != number);
    memcpy(&box, &number, 8);
    assert(box >> 48 == 0xfffc && unboxed(box) == p && ((struct cell *)unboxed(box))->value == i + 1);
  }
  local.link = (uintptr_t)one ^ (uintptr_t)&global;
  assert(((struct cell *)(local.link ^ (uintptr_t)one))->value == 3);
  assert(((struct cell *)(local.link ^ (uintptr_t)&global))->value == 1);
  free(one);
  return 0;
}
