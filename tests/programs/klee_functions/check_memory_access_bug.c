/* expect: unsafe
   native: none (there is no native counterpart) */
#include <klee/klee.h>

int main(void) {
  char buffer[10];
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n > 0);
  klee_assume(n <= 11);
  klee_check_memory_access(buffer, n); /* BUG: out-of-bounds */
  return 0;
}
