/* Quantifiers in code, over a range that can be seen; one in the other, and with a premise more.
   expect: unsafe
   native: none (no compiler knows what CBMC does) */
#include <assert.h>
#include <stddef.h>
#define ALL_ZERO(object)                                                                        \
  __CPROVER_forall {                                                                            \
    int i;                                                                                      \
    (i >= 0 && i < sizeof(object)) ==> ((const unsigned char *)&object)[i] == 0                 \
  }

int main(void) {
  unsigned char a[4], b[3][2];
  unsigned x;
  __CPROVER_assume(ALL_ZERO(a));
  assert(a[0] == 0 && a[3] == 0);
  a[2] = x;
  assert(__CPROVER_exists { size_t i; i < 4 && a[i] == 0 });
  assert(__CPROVER_forall { int i; (0 <= i && i < 4) ==> (i != 2 ==> a[i] == 0) });
  __CPROVER_assume(__CPROVER_forall {
    unsigned i;
    i <= 2 ==> __CPROVER_exists { unsigned j; j < 2 && b[i][j] == i + 1 }
  });
  assert(b[2][0] == 3 || b[2][1] == 3);
  assert(ALL_ZERO(a)); /* BUG: assert */
  assert(b[1][0] != 2); /* BUG: assert */
  return 0;
}
