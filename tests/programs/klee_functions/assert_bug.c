/* expect: unsafe
   native: asan
   input: x=1000 */
#include <klee/klee.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x <= 1000);
  klee_assert(x < 1000); /* BUG: assert */
  return 0;
}
