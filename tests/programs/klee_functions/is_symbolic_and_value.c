/* expect: safe
   paths: 1
   native: none (natively nothing is symbolic) */
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x"), y = 3;
  assert(klee_is_symbolic((uintptr_t)x) && !klee_is_symbolic((uintptr_t)y));
  assert(klee_get_obj_size(&y) == sizeof y);
  assert(klee_get_value_i32(y) == 3);
  assert(klee_is_replay() == 0);
  return 0;
}
