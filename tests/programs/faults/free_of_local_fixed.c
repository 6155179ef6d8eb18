/* expect: safe
   paths: 2
   native: asan */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  char small[16], *buffer = small;
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  if (n > sizeof small) buffer = malloc(100);
  buffer[0] = 0;
  if (buffer != small) free(buffer);
  return 0;
}
