/* expect: unknown unsupported
   native: none (TRACER-X's) */
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x == 2) klee_abstract(x > 0);
  klee_assert(x != 2 || x > 0);
  return 0;
}
