/* In programs that use the verifier's functions abort() is how they say "not this way".
   expect: safe
   paths: 2
   native: none (natively the process aborts) */
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static void assume_abort_if_not(int cond) {
  if (!cond) abort();
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  assume_abort_if_not(x > 5);
  assert(x > 0);
  return 0;
}
