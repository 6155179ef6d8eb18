/* What was learnt where a variable was written says nothing of where it was not.
   expect: unsafe
   options: --check uninitialised --merge none --prune interpolate --search dfs
   native: none (gcc has no check for uninitialised reads) */
#include "unfork.h"

static unsigned char input(const char *name) {
  unsigned char x;
  unfork_symbolic(&x, 1, name);
  return x;
}

int main(void) {
  int mode, steps = 0;
  unsigned char a = input("a"), b = input("b"), c = input("c");
  if (a < 100) mode = c;
  else steps = 1;
  if (b > 3) steps += 0;
  else steps *= 1;
  if (mode == 3) steps = 4; /* BUG: uninitialised */
  else steps = 5;
  unfork_check(steps < 9);
  return 0;
}
