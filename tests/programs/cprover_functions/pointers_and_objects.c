/* expect: safe
   native: none (no compiler knows what CBMC does) */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
unsigned nondet_unsigned(void);

int main(void) {
  size_t n = nondet_unsigned() % 8, i = nondet_unsigned() % 8;
  char *p = malloc(n), other[4];
  char *q = i < 4 ? p + i : other + 1;
  assert(__CPROVER_same_object(p, p + i) && !__CPROVER_same_object(p, other));
  assert(__CPROVER_same_object(p, q) == (i < 4));
  assert(__CPROVER_POINTER_OBJECT(p) != __CPROVER_POINTER_OBJECT((char *)0));
  assert(__CPROVER_POINTER_OFFSET(q) == (i < 4 ? (ptrdiff_t)i : 1));
  assert(__CPROVER_POINTER_OFFSET(p - 1) == -1);
  assert(__CPROVER_OBJECT_SIZE(q) == (i < 4 ? n : 4));
  assert(__CPROVER_DYNAMIC_OBJECT(p) && !__CPROVER_DYNAMIC_OBJECT(other) && !__CPROVER_DYNAMIC_OBJECT((char *)0));
  assert(n <= __CPROVER_max_malloc_size);
  int *zeroes = __CPROVER_allocate(4 * sizeof *zeroes, 1);
  assert(zeroes[3] == 0 && __CPROVER_OBJECT_SIZE(zeroes) == 16);
  return 0;
}
