/* One function called from two places: what was learnt below the first call says nothing below the second.

   expect: unsafe
   input: way=05 noise=00
*/
#include <assert.h>

#include "unfork.h"

static int noisy(char noise, int result) {
  if (noise & 1)
    noise = 1;
  if (noise & 2)
    noise = 2;
  return result;
}

int main(void) {
  char way, noise;
  unfork_symbolic(&way, sizeof way, "way");
  unfork_symbolic(&noise, sizeof noise, "noise");
  int sum = noisy(noise, 1);
  assert(sum == 1);
  if (way == 5)
    sum += noisy(noise, 1);
  assert(sum == 1); /* BUG: assert */
  return 0;
}
