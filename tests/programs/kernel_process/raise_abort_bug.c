/* expect: unsafe
   native: none (the report has no kind of its own) */
#include "../kernel_scratch.h"
#include "unfork.h"
#include <signal.h>

int main(void) {
  unsigned char x;
  unfork_symbolic(&x, 1, "x");
  if (x == 3) raise(SIGABRT); /* BUG: abort */
  return 0;
}
