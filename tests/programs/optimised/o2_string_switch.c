/* At -O2 the switch becomes a table of 32-bit distances from the table to the strings.
   expect: safe
   options: --cflags "-O2"
   native: asan */
#include <assert.h>
#include "unfork.h"

__attribute__((noinline)) const char *name(unsigned k) {
  switch (k) {
  case 0: return "zero";
  case 1: return "one";
  case 2: return "two";
  case 3: return "three";
  case 4: return "four";
  case 5: return "five";
  default: return "?";
  }
}

int main(void) {
  unsigned k;
  unfork_symbolic(&k, sizeof k, "k");
  unfork_assume(k < 6);
  assert(name(k)[0] == "zottff"[k]);
  return 0;
}
