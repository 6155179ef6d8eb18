/* With --abort end a call of abort is an end like another.
   expect: safe
   paths: 2
   options: --abort end
   native: none (natively the process aborts) */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  unsigned x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x == 9) abort();
  return 0;
}
