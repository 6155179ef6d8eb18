/* expect: safe
   paths: 3
   native: asan */
#include <assert.h>
#include <klee/klee.h>

static int sign(int x) {
  if (x == 0) return 0;
  if (x < 0) return -1;
  return 1;
}

int main(void) {
  int a;
  klee_make_symbolic(&a, sizeof a, "a");
  int s = sign(a);
  assert((s > 0) == (a > 0));
  return 0;
}
