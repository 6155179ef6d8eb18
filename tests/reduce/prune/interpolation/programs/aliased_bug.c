/* Two pointers that lead to different blocks on one path and to one block on the other: values alone do not tell.

   expect: unsafe
   native: asan
   input: same=01 noise=00
*/
#include <assert.h>
#include <stdlib.h>

#include "unfork.h"

int main(void) {
  char same, noise;
  unfork_symbolic(&same, sizeof same, "same");
  unfork_symbolic(&noise, sizeof noise, "noise");
  int *left = malloc(sizeof *left), *right = malloc(sizeof *right);
  *left = *right = 3;
  int *other = left;
  if (!same)
    other = right;
  if (noise)
    noise = 2;
  *other = 4;
  assert(*left == 3); /* BUG: assert */
  free(left);
  free(right);
  return 0;
}
