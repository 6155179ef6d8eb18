/* A branch that depends on an uninitialised byte.
   expect: unsafe
   options: --check uninitialised
   native: none (gcc has no check for uninitialised reads) */
#include "unfork.h"

int main(void) {
  int x;
  char found;
  unfork_symbolic(&x, sizeof x, "x");
  for (int i = 0; i < 3; i++)
    if (x == i) found = 1;
  if (found) /* BUG: uninitialised */
    return 0;
  return 0;
}
