/* expect: unsafe
   options: --check overflow
   native: asan
   input: step=1 */
#include "unfork.h"

int main(void) {
  long sum = 9223372036854775806l;
  unsigned char step;
  unfork_symbolic(&step, sizeof step, "step");
  step &= 1;
  for (int i = 0; i < 3; i++)
    sum += step; /* BUG: overflow */
  return sum == 0;
}
