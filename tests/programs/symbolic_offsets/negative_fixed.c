/* expect: safe
   native: asan */
#include "unfork.h"

int main(void) {
  int values[4] = {1, 2, 3, 4};
  int i;
  unfork_symbolic(&i, sizeof i, "i");
  if (i < 0 || i >= 4) return 0;
  return values[i] == 9;
}
