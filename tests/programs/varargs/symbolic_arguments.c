/* expect: safe
   paths: 4
   native: asan */
#include <assert.h>
#include <stdarg.h>
#include "unfork.h"

static int maximum(int count, ...) {
  va_list list;
  va_start(list, count);
  int best = va_arg(list, int);
  while (--count > 0) {
    int next = va_arg(list, int);
    if (next > best) best = next;
  }
  va_end(list);
  return best;
}

int main(void) {
  int a, b, c;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  unfork_symbolic(&c, sizeof c, "c");
  int m = maximum(3, a, b, c);
  assert(m >= a && m >= b && m >= c);
  return 0;
}
