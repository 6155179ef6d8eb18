/* expect: unsafe
   native: asan
   input: x=1 */
#include <string.h>
#include "unfork.h"

static const char fixed[4] = "abc";
static char open[4];

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  char *to = x == 1 ? (char *)fixed : open;
  memcpy(to, "xyz", 4); /* BUG: read-only */
  return 0;
}
