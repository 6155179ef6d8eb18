/* One element too many: the library reads it, the program is to blame.
   expect: unsafe
   native: asan
   input: n=4 */
#include <stdlib.h>
#include "unfork.h"

static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; } /* BUG: out-of-bounds */

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_assume(n >= 3 && n <= 4);
  char *text = malloc(3);
  text[0] = 'c';
  text[1] = 'a';
  text[2] = 'b';
  qsort(text, n, 1, compare);
  free(text);
  return 0;
}
