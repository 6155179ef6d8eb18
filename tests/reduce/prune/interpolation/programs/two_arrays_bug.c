/* A symbolic index into one of two arrays.

   expect: unsafe
   input: which=01000000 index=03000000
*/
#include <assert.h>

#include "unfork.h"

int main(void) {
  unsigned which, index;
  int first[4] = {1, 2, 3, 4}, second[4] = {1, 2, 3, 9};
  unfork_symbolic(&which, sizeof which, "which");
  unfork_symbolic(&index, sizeof index, "index");
  unfork_assume(index < 4);
  const int *from = first;
  if (which)
    from = second;
  char noise = 0;
  if (index & 2)
    noise = 1;
  if (noise != (index >> 1 & 1))
    return 1;
  assert(from[index] < 9); /* BUG: assert */
  return 0;
}
