/* expect: safe
   native: asan */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  static const char source[8] = "abcdefg";
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_assume(n >= 1 && n <= 8);
  char *p = malloc(n);
  memcpy(p, source, n);
  assert(p[n - 1] == source[n - 1]);
  free(p);
  return 0;
}
