/* A pointer into a function is no function.
   expect: unsafe
   native: none (what happens natively is anything) */
#include "unfork.h"

static int zero(void) { return 0; }

int main(void) {
  unsigned char x;
  unfork_symbolic(&x, sizeof x, "x");
  x &= 1;
  int (*f)(void) = (int (*)(void))((char *)zero + x);
  return f(); /* BUG: invalid-call */
}
