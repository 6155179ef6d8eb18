/* expect: unsafe
   native: asan
   input: kind=3 */
#include "unfork.h"

static int size_of_kind(unsigned kind) {
  switch (kind) {
  case 0: return 1;
  case 1: return 2;
  case 2: return 4;
  }
  __builtin_unreachable(); /* BUG: unreachable */
}

int main(void) {
  unsigned kind;
  unfork_symbolic(&kind, sizeof kind, "kind");
  return size_of_kind(kind & 3) == 9;
}
