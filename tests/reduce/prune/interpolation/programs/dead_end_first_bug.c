/* Every path of the subtree that is finished first ends at one error, so nothing is known of what lies behind it: a path
   that gets past it fails otherwise, and so does one that gets past both.

   expect: unsafe
   native: asan
   input: way=00 noise=00
   input: way=01 noise=00
   input: way=02 noise=01
*/
#include <assert.h>

#include "unfork.h"

int main(void) {
  unsigned char way, noise;
  unfork_symbolic(&way, sizeof way, "way");
  unfork_symbolic(&noise, sizeof noise, "noise");
  int cell = 6, *leads = 0, share = 0;
  if (way != 0)
    leads = &cell;
  if (way > 1)
    share = 2;
  int even = 1;
  if (noise & 1)
    even = 0;
  int whole = *leads;   /* BUG: null-dereference */
  int part = whole / share; /* BUG: div-by-zero */
  assert(part != 3 || even); /* BUG: assert */
  return 0;
}
