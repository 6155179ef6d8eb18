/* expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  short s;
  unfork_symbolic(&s, sizeof s, "s");
  if (s == 300) return 0;
  long double x = (long double)s / 4;
  assert(x != 75.0L);
  return 0;
}
