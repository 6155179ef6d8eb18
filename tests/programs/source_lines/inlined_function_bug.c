/* The line is that of the innermost function, inlined or not.
   expect: unsafe
   options: --cflags "-O2"
   native: asan
   input: i=7 */
#include "unfork.h"

static int table[4];

static inline __attribute__((always_inline)) void put(unsigned i, int v) {
  table[i] = v; /* BUG: out-of-bounds */
}

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
