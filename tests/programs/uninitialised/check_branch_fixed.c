/* expect: safe
   options: --check uninitialised
   native: asan */
#include "unfork.h"

int main(void) {
  int x;
  char found = 0;
  unfork_symbolic(&x, sizeof x, "x");
  for (int i = 0; i < 3; i++)
    if (x == i) found = 1;
  if (found)
    return 0;
  return 0;
}
