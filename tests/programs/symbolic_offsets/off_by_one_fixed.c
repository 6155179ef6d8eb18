/* expect: safe
   paths: 2
   native: asan */
#include "unfork.h"

int main(void) {
  char buffer[10];
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  if (i < 10) buffer[i] = 1;
  return 0;
}
