/* What a void pointer leads to is what it is read as: here a byte, and there an array of numbers.
   expect: unsafe
   options: --function first --max-size 16
   native: none (a function that is run alone) */
#include "unfork.h"

int first(const void *data, const void *numbers) {
  const int *values = numbers;
  if (!data || !numbers) return 0;
  unfork_check(*(const char *)data != 7); /* BUG: assert */
  unfork_check(values[2] != 99); /* BUG: assert */
  return 0;
}
