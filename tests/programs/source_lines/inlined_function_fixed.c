/* expect: safe
   options: --cflags "-O2"
   native: asan */
#include "unfork.h"

static int table[8];

static inline __attribute__((always_inline)) void put(unsigned i, int v) { table[i] = v; }

static inline void put_twice(unsigned i) {
  put(i, 1);
  put(i, 2);
}

int main(void) {
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_assume(i < 8);
  put_twice(i);
  return table[0] == 5;
}
