/* expect: unsafe
   native: none (the stand-in aborts in its own source) */
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x == -4) klee_abort(); /* BUG: abort */
  return 0;
}
