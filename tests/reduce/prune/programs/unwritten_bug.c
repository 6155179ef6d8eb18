/* Bytes that nobody has written may be anything, and cover what was written.
   expect: unsafe
   input: x=1 x=1 x=3 x=3 */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  int *cell = malloc(2 * sizeof *cell);
  int last = 0;
  cell[0] = 1;
  for (int i = 0; i < 4; i++) {
    unsigned char x;
    unfork_symbolic(&x, 1, "x");
    if (x == 1)
      cell[0] = 2;
    else if (x == 2)
      cell[0] = 1;
    else if (x == 3)
      last = i;
    else
      last = 0;
  }
  unfork_check(cell[0] + last < 5); /* BUG: assert */
  free(cell);
  return 0;
}
