/* expect: safe
   native: asan */
#include <klee/klee.h>

int main(void) {
  int a = klee_range(3, 10, "a");
  int b = klee_int("b");
  klee_assert(a >= 3);
  klee_assert(a < 10);
  if (b > 0) klee_assert(b != 0);
  return 0;
}
