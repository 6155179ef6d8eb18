/* calloc sees that the size does not fit; so does a test before malloc.
   expect: safe
   options: --data-model ILP32
   native: none (for 32 bits) */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  size_t count = (1u << 29) + 1;
  assert(count * sizeof(long long) == 8);
  assert(count > SIZE_MAX / sizeof(long long));
  assert(!calloc(count, sizeof(long long)));
  assert(!malloc(0x80000001u) && !malloc(-1));
  return 0;
}
