/* What may be accessed, by null, by one of two pointers, after the end, of a constant, and after free.
   expect: safe
   options: --function harness
   native: none (no compiler knows what CBMC does) */
#include <assert.h>
#include <stdlib.h>
_Bool nondet_bool(void);
static const int constant = 5;

void harness(void) {
  size_t n, i;
  __CPROVER_assume(n > 0 && n <= 8 && i < n);
  char *p = malloc(n);
  char *q = nondet_bool() ? p : 0;
  assert(__CPROVER_r_ok(p, n) && !__CPROVER_r_ok(p, n + 1));
  assert(__CPROVER_w_ok(p + i) && __CPROVER_rw_ok(p + i, n - i));
  assert(__CPROVER_r_ok(p + n, 0) && !__CPROVER_r_ok((char *)0, 0) && !__CPROVER_r_ok(p - 1, 1));
  assert(__CPROVER_rw_ok(q, n) == (q != 0));
  assert(__CPROVER_r_ok(&constant) && !__CPROVER_w_ok(&constant) && !__CPROVER_r_ok(&constant, 5));
  p[i] = 1;
  free(p);
  assert(!__CPROVER_r_ok(p, 1) && !__CPROVER_w_ok(q, 1));
}
