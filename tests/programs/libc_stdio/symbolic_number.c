/* A number of any length is one path: its length is a choice, its digits stay symbolic.
   expect: unsafe
   paths: 2
   native: asan
   input: x=417 */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  unsigned x;
  char text[16];
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x < 1000);
  snprintf(text, sizeof text, "%u", x);
  assert(strcmp(text, "417") != 0); /* BUG: assert */
  return 0;
}
