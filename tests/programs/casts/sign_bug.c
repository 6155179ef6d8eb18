/* A char used as an index is negative for half of its values.
   expect: unsafe
   native: asan
   input: c=-1 */
#include <string.h>
#include "unfork.h"

int main(void) {
  int histogram[256];
  memset(histogram, 0, sizeof histogram);
  signed char c;
  unfork_symbolic(&c, sizeof c, "c");
  histogram[c]++; /* BUG: out-of-bounds */
  return 0;
}
