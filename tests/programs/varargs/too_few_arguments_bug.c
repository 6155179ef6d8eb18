/* The count says more than the caller passed.
   expect: unsafe
   native: none (natively the read finds whatever is there) */
#include <stdarg.h>
#include "unfork.h"

static int sum(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = 0;
  for (int i = 0; i < count; i++)
    total += va_arg(list, int); /* BUG: out-of-bounds */
  va_end(list);
  return total;
}

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_assume(n <= 10);
  return sum((int)n, 0, 0, 0, 0, 0, 0, 0, 0, 0) ? 0 : 0;
}
