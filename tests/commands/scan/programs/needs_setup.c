/* Pools too large to be a part of the input, which callers set up first: with a table, and the number of its entries.
   scan: nothing certain */
#include <stdlib.h>

struct slot { int used, value; };
static struct pool { int kind; struct slot *slots; unsigned count; } pools[25000];

int pool_setup(unsigned count) {
  if (count == 0 || count > 100) return -1;
  for (int i = 0; i < 2; i++) {
    struct pool *p = &pools[i];
    p->slots = calloc(count, sizeof *p->slots);
    if (!p->slots) return -1;
    p->count = count;
  }
  return 0;
}

static int value_of(struct slot *slot) {
  return slot->used ? slot->value : -1;
}

int pool_get(unsigned short which) {
  pools[which & 31].kind = which;
  return value_of(pools[which & 31].slots);
}

int pool_hash(unsigned key) {
  return (int)(key % pools[0].count);
}
