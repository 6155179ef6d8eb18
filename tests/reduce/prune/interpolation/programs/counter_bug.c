/* A sum over the turns of a loop matters only at the end: it must be kept until then.

   expect: unsafe
   input: bits=0001000100
*/
#include <assert.h>

#include "unfork.h"

int main(void) {
  char bits[5];
  int sum = 0;
  unfork_symbolic(bits, sizeof bits, "bits");
  for (int i = 0; i < 5; ++i)
    if (bits[i] == 1)
      sum += 1 << i;
    else
      sum += 0;
  assert(sum != 10); /* BUG: assert */
  return 0;
}
