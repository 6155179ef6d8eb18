/* Switching forking off would lose paths in silence, so it is refused; switching it on is what holds anyway.
   expect: unknown unsupported
   native: none (there is no native counterpart) */
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x"), y = 0;
  klee_set_forking(1);
  if (x == 5) klee_set_forking(0);
  return y > 1;
}
