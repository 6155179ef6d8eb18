/* expect: safe
   paths: 2
   native: none (ends with status 3) */
#include "../kernel_scratch.h"
#include "unfork.h"

int main(void) {
  unsigned char x;
  unfork_symbolic(&x, 1, "x");
  if (x) _exit(3);
  return 0;
}
