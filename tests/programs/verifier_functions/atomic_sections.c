/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);

static int shared;

int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_atomic_begin();
  shared = x;
  __VERIFIER_atomic_end();
  assert(shared == x);
  return 0;
}
