/* A pointer that may lead anywhere may be accessed where it leads into an object that is there.
   expect: safe
   native: none (no compiler knows what CBMC does) */
#include <assert.h>
void *nondet_voidp(void);

int main(void) {
  static int a[4] = {3, 3, 3, 3};
  unsigned char *p = nondet_voidp();
  __CPROVER_assume(__CPROVER_r_ok(p, 16) && __CPROVER_same_object(a, a + 1));
  if (p == (unsigned char *)a) assert(*p == 3);
  __CPROVER_assume(p >= (unsigned char *)a && p < (unsigned char *)(a + 4));
  assert(p == (unsigned char *)a);
  return 0;
}
