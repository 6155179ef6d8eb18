/* A table that is hashed by address holds what was put in, wherever objects lie.
   expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include "unfork.h"

enum { BUCKETS = 13 };
static void *table[BUCKETS][8];

static unsigned hash(void *p) { return ((unsigned)(uintptr_t)p >> 4 ^ (unsigned)((uintptr_t)p >> 32)) * 2654435761u; }
static int find(void *p) {
  void **bucket = table[hash(p) % BUCKETS];
  for (int i = 0; i < 8; i++)
    if (bucket[i] == p) return 1;
  return 0;
}
static void put(void *p) {
  void **bucket = table[hash(p) % BUCKETS];
  int i = 0;
  while (bucket[i]) i++;
  bucket[i] = p;
}

int main(void) {
  char *blocks[4];
  for (int i = 0; i < 4; i++) put(blocks[i] = malloc(24));
  static char aligned[64] __attribute__((aligned(65536)));
  unsigned char n;
  unfork_symbolic(&n, 1, "n");
  assert(find(blocks[0]) && find(blocks[3]) && !find(&n) && !find(blocks));
  assert((uintptr_t)aligned % 65536 == 0 && (uintptr_t)(aligned + 5) % 64 == 5);
  char *page = aligned_alloc(1 << 20, 1 << 20);
  assert((uintptr_t)page % (1 << 20) == 0);
  assert((char *)((uintptr_t)(page + 77777 + n) & ~(uintptr_t)((1 << 20) - 1)) == page);
  if (n > 3) put(&n);
  assert(find(&n) == (n > 3));
  free(page);
  for (int i = 0; i < 4; i++) free(blocks[i]);
  return 0;
}
