/* A block that is gone matches no block that is there.
   expect: unsafe
   input: x=0 x=0 */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  char *block = malloc(1);
  for (int i = 0; i < 4; i++) {
    unsigned char x;
    unfork_symbolic(&x, 1, "x");
    if (x < 9)
      free(block); /* BUG: double-free */
    else if (x > 200)
      continue;
  }
  return 0;
}
