/* A pointer far outside of its object has no number of its own, so the path is given up.
   expect: unknown unsupported
   options: --data-model ILP32
   native: none (undefined) */
#include "unfork.h"

int main(void) {
  static int numbers[4], *kept;
  int *far = numbers + 100000;
  kept = far;
  return *(kept - 100000);
}
