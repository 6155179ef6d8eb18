/* Lost blocks count where leaks are looked for.
   expect: unsafe
   options: --check memory,leak
   input: x=60 x=0 x=0 x=120 */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  for (int i = 0; i < 4; i++) {
    unsigned char x;
    unfork_symbolic(&x, 1, "x");
    char *block = malloc(4); /* BUG: leak */
    if (x < 60)
      free(block);
    else if (x < 120)
      free(block);
    else if (i != 3)
      free(block);
  }
  return 0;
}
