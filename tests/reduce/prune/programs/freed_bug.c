/* Whether a block is still there is part of a state.
   expect: unsafe
   input: x=129 x=129 x=9 */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  int *block = malloc(sizeof *block);
  *block = 3;
  int is_gone = 0;
  for (int i = 0; i < 4; i++) {
    unsigned char x;
    unfork_symbolic(&x, 1, "x");
    if (x == 9 && !is_gone) {
      free(block);
      is_gone = i < 2;
      if (!is_gone)
        break;
    } else if (x > 128) {
      continue;
    }
  }
  if (!is_gone)
    return *block; /* BUG: use-after-free */
  return 0;
}
