/* Functions that talk only to the user.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  klee_prefer_cex(&x, x == 0);
  klee_posix_prefer_cex(&x, x == 1);
  klee_print_expr("x", x);
  klee_warning("a warning");
  klee_warning_once("a warning");
  klee_stack_trace();
  klee_mark_global(&x);
  int y = x;
  assert(x == y);
  return 0;
}
