/* Numbers of addresses inside objects of many pages.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static long global[20000];
static char behind;

int main(void) {
  static struct { char head; struct { short grid[99][99]; } body; } nested;
  long local[3000];
  char *heap = malloc(300000), *after = malloc(1);
  local[2999] = 4;
  uintptr_t first = (uintptr_t)global, last = (uintptr_t)&global[20000];
  assert(last - first == sizeof global && (last - first) / sizeof(long) == 20000);
  for (uintptr_t at = first; at < last; at += 4000) *(long *)at = (long)(at - first);
  assert(global[19500] == 156000 && global[19501] == 0);
  assert((uintptr_t)&behind < first || (uintptr_t)&behind >= last);
  assert(*(long *)((uintptr_t)local + 2999 * sizeof(long)) == 4);
  *(char *)((uintptr_t)heap + 299999) = 'x';
  assert(heap[299999] == 'x' && (char *)((uintptr_t)heap + 150000) == heap + 150000);
  assert((uintptr_t)after + 1 <= (uintptr_t)heap || (uintptr_t)after >= (uintptr_t)heap + 300000);
  *(short *)((uintptr_t)&nested + sizeof nested - 2) = 3;
  assert(nested.body.grid[98][98] == 3);
  free(heap);
  free(after);
  return 0;
}
