/* expect: unsafe
   paths: 2
   native: asan
   input: d=0 */
#include "unfork.h"

int main(void) {
  unsigned d;
  unfork_symbolic(&d, sizeof d, "d");
  unsigned q = 100 / d; /* BUG: div-by-zero */
  return q == 101;
}
