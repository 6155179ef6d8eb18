/* A pointer copied byte by byte, kept as a number, and tagged, is the pointer that it was.
   expect: safe
   options: --data-model ILP32
   native: none (for 32 bits) */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  if (i > 9) return 0;
  int *block = calloc(10, sizeof *block), *at = &block[i], *copy, local = 3, *other = &local;
  if (!block) return 0;
  for (unsigned k = 0; k < sizeof at; k++) ((unsigned char *)&copy)[k] = ((unsigned char *)&at)[k];
  *copy = 5;
  assert(block[i] == 5 && copy == at);
  uintptr_t number = (uintptr_t)other | 1;
  assert(*(int *)(number & ~(uintptr_t)1) == 3);
  unsigned long long wide = (uintptr_t)at;
  assert(*(int *)(uintptr_t)wide == 5 && wide >> 32 == 0);
  assert((uintptr_t)(at + 1) - (uintptr_t)at == sizeof *at);
  union { int *p; uint32_t n; } both = {at};
  both.n += 4;
  assert(both.p == at + 1);
  free(block);
  return 0;
}
