/* expect: safe
   options: --cflags "-O2"
   native: asan */
#include <assert.h>
#include "unfork.h"

struct span { unsigned low, high; };

static struct span clip(struct span s, unsigned limit) {
  if (s.low > limit) s.low = limit;
  if (s.high > limit) s.high = limit;
  return s;
}

int main(void) {
  struct span s;
  unfork_symbolic(&s, sizeof s, "s");
  unfork_assume(s.low <= s.high);
  s = clip(s, 1000);
  assert(s.low <= s.high);
  assert(s.high <= 1000);
  return 0;
}
