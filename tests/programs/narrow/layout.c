/* Sizes, alignments and offsets are those of the i386 ABI.
   expect: safe
   options: --data-model ILP32
   native: none (for 32 bits) */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "unfork.h"

struct inner { char c; long long big; char d; };
struct outer { char c; double d; struct inner in[2]; void *p; long double wide; short s; };
union both { struct outer o; char bytes[sizeof(struct outer)]; };
struct bits { unsigned a : 3; long long b : 40; unsigned c : 20; };

static struct outer table[2] = {{1, 2.0, {{3, 4, 5}, {6, 7, 8}}, &table[1], 9.0L, 10}, {.p = table, .s = 11}};

int main(void) {
  assert(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(size_t) == 4 && sizeof(ptrdiff_t) == 4);
  assert(sizeof(struct inner) == 16 && offsetof(struct inner, big) == 4 && offsetof(struct inner, d) == 12);
  assert(sizeof(long double) == 12 && offsetof(struct outer, d) == 4 && offsetof(struct outer, p) == 44);
  assert(sizeof(struct outer) == 64 && offsetof(struct outer, wide) == 48 && offsetof(struct outer, s) == 60);
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  if (i > 1) return 0;
  struct outer *other = table[i].p;
  assert(other == &table[!i] && other->p == &table[i] && other - table == !i);
  assert(table[0].in[i].big == 4 + 3 * (int)i && table[0].wide == 9.0L);
  union both copy;
  memcpy(copy.bytes, &table[0], sizeof copy);
  assert(copy.o.p == &table[1] && copy.o.d == 2.0 && copy.o.s == 10);
  struct bits b = {5, -3, 77};
  b.b += i;
  assert(b.a == 5 && b.b == -3 + (int)i && b.c == 77);
  return 0;
}
