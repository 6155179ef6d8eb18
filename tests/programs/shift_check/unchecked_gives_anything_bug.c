/* A shift by the width gives no particular value.
   expect: unsafe
   native: none
   options: --check memory,div,unreachable */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned value, times;
  unfork_symbolic(&value, sizeof value, "value");
  unfork_symbolic(&times, sizeof times, "times");
  if (times > 32) return 0;
  unsigned result = value >> times;
  if (value == 8) assert(result <= 8); /* BUG: assert */
  return 0;
}
