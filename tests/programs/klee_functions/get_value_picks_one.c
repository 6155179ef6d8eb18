/* klee_get_value gives one feasible value without constraining the path.
   expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x >= 5);
  klee_assume(x <= 6);
  unsigned picked = (unsigned)klee_get_value_i32((int)x);
  assert(picked == 5 || picked == 6);
  if (x == 5) return 0;
  assert(x == 6);
  return 0;
}
