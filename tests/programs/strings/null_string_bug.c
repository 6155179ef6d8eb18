/* expect: unsafe
   native: asan -fno-sanitize=nonnull-attribute
   input: x=0 */
#include <string.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  const char *s = x ? "text" : 0;
  return strlen(s) == 9; /* BUG: null-dereference */
}
