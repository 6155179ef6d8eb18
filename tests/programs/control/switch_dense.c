/* expect: safe
   paths: 6
   native: asan */
#include <assert.h>
#include "unfork.h"

static int days(unsigned quarter) {
  switch (quarter) {
  case 0: return 90;
  case 1: return 91;
  case 2: return 92;
  case 3: return 93;
  case 4: return 0;
  default: return -1;
  }
}

int main(void) {
  unsigned q;
  unfork_symbolic(&q, sizeof q, "q");
  int d = days(q);
  if (d > 0)
    assert((unsigned)d == 90 + q);
  else
    assert(q >= 4);
  return 0;
}
