/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  char *p = aligned_alloc(64, 128);
  assert(((uintptr_t)p & 63) == 0);
  p[127] = 1;
  free(p);
  void *q = 0;
  assert(posix_memalign(&q, 32, 10) == 0);
  assert(((uintptr_t)q & 31) == 0);
  free(q);
  char *m = malloc(5);
  assert(((uintptr_t)m & 15) == 0);
  free(m);
  return 0;
}
