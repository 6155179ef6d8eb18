/* At -O2 the switch becomes a table lookup.
   expect: safe
   options: --cflags "-O2"
   native: asan */
#include <assert.h>
#include "unfork.h"

static int price(unsigned grade) {
  switch (grade) {
  case 0: return 7;
  case 1: return 19;
  case 2: return 3;
  case 3: return 44;
  case 4: return 2;
  case 5: return 91;
  default: return 0;
  }
}

int main(void) {
  unsigned g;
  unfork_symbolic(&g, sizeof g, "g");
  int p = price(g);
  assert(p >= 0);
  assert(p <= 91);
  assert((p == 44) == (g == 3));
  return 0;
}
