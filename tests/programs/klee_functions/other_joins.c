/* The joins of an older KLEE and of TRACER-X are hints: what the program does stays as it is.
   expect: safe
   native: asan */
#include <klee/klee.h>

int main(void) {
  int x, sum = 0;
  klee_make_symbolic(&x, sizeof x, "x");
  for (int i = 0; i < 4; i++) {
    if (x >> i & 1) sum += 1 << i;
    klee_join("sum", x, i, sum);
  }
  klee_merge();
  klee_assert(sum == (x & 15));
  return 0;
}
