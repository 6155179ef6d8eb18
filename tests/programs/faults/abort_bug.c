/* expect: unsafe
   paths: 2
   native: asan
   input: x=9 */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  unsigned x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x == 9) abort(); /* BUG: abort */
  return 0;
}
