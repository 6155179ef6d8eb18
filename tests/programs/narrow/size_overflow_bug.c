/* The size of an array of 2^29 + 1 numbers of 8 bytes is 8 bytes, where size_t has 32 bits.
   expect: unsafe
   options: --data-model ILP32
   native: none (for 32 bits) */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  size_t count;
  unfork_symbolic(&count, sizeof count, "count");
  if (count != 3 && count != (1u << 29) + 1) return 0;
  long long *numbers = malloc(count * sizeof *numbers);
  if (!numbers) return 0;
  numbers[2] = 1; /* BUG: out-of-bounds */
  free(numbers);
  return 0;
}
