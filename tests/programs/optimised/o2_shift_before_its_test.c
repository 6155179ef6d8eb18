/* A shift moved before the test of its amount: what it gives is thrown away where the amount is too large.
   expect: safe
   native: asan
   options: --cflags "-O2" --check memory,div,unreachable */
#include <assert.h>
#include "unfork.h"

static int halved(int value, int times) {
  return times >= 0 && times < 32 ? value >> times : 0;
}

int main(void) {
  int value, times;
  unfork_symbolic(&value, sizeof value, "value");
  unfork_symbolic(&times, sizeof times, "times");
  int result = halved(value, times);
  if (value >= 0) assert(result <= value);
  if (times > 31) assert(result == 0);
  return 0;
}
