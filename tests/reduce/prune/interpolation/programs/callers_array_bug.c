/* A function looks into an array of its caller, and has one of its own.
   expect: unsafe
   input: c=2
*/
#include "unfork.h"

static void fill(unsigned char *array) {
  array[0] = 1;
  array[1] = 2;
}

static int summed(const unsigned char *its) {
  unsigned char own[2];
  fill(own);
  return its[0] + own[1];
}

int main(void) {
  unsigned char a[2] = {0, 0}, c;
  unfork_symbolic(&c, 1, "c");
  if (c == 0)
    a[1] = 1;
  else if (c == 2)
    a[0] = 2;
  unfork_check(summed(a) != 4); /* BUG: assert */
  return 0;
}
