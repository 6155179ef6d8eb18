/* Pointers to different places of one array: the same object, but not the same offset, and one of them at its end.

   expect: unsafe
   native: asan
   input: way=01 noise=00
*/
#include "unfork.h"

int main(void) {
  char way, noise;
  int array[4] = {0, 0, 0, 0};
  unfork_symbolic(&way, sizeof way, "way");
  unfork_symbolic(&noise, sizeof noise, "noise");
  int *at = array;
  if (way)
    at = array + 3;
  if (noise)
    noise = 1;
  at[1] = 7; /* BUG: out-of-bounds */
  return array[1];
}
