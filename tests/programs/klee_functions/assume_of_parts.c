/* klee_assume of a conjunction forks nothing when its parts are joined bitwise.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assume((a > 0) & (a < 100) & (b > a) & (b < 100));
  assert(b > 1);
  assert(b - a < 99);
  return 0;
}
