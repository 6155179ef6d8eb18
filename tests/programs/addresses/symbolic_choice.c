/* Numbers of pointers that depend on the input.
   expect: safe
   native: asan */
#include <assert.h>
#include <stdint.h>
#include "unfork.h"

int a[8], b[8];
static const char *words[] = {"zero", "one", "two"};

int main(void) {
  unsigned char i, which;
  unfork_symbolic(&i, 1, "i");
  unfork_symbolic(&which, 1, "which");
  unfork_assume(i < 8);
  for (int k = 0; k < 8; k++) a[k] = k, b[k] = 10 + k;
  int *p = (which ? a : b) + i;
  uintptr_t number = (uintptr_t)p;
  assert((number & 3) == 0 && number >> 47 == 0);
  assert(*(int *)(number ^ 0) == i + (which ? 0 : 10));
  assert(*(int *)((number | 2) - 2) == i + (which ? 0 : 10));
  int off = (int)(number - (uintptr_t)a);
  assert((int *)((uintptr_t)a + off) == p && (off == 4 * i) == (which != 0));
  uintptr_t word = (uintptr_t)words[i % 3];
  assert(*(char *)word == "zot"[i % 3]);
  return 0;
}
