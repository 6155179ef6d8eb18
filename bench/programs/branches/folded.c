/* Conditions that a compiler can see through. */
#include <limits.h>
#include <stddef.h>

#include "unfork.h"

#define DEBUG 0
#define HAS_FEATURE 1

static int array[4];

static int checked(unsigned u, int x, char c) {
  if (sizeof(int) == 4 && x > 3)
    x--;
  if (HAS_FEATURE && !DEBUG)
    x++;
  if (DEBUG || u > 9)
    x += 2;
  while (HAS_FEATURE) {
    if (x++ > 2)
      break;
  }
  do {
    x--;
  } while (DEBUG);
  int is_long = sizeof(long) > 4 ? 1 : 2;
  int both = x && HAS_FEATURE;
  int none = x && DEBUG;
  int one = HAS_FEATURE && x;
  int same = x ? 5 : 5;
  if (array != NULL && c)
    x++;
  if (u >= 0 && x)
    x++;
  if (x * 0 == 0)
    x++;
  return is_long + both + none + one + same + (u <= UINT_MAX) + x;
}

int main(void) {
  unsigned u;
  int x;
  char c;
  unfork_symbolic(&u, sizeof u, "u");
  unfork_symbolic(&x, sizeof x, "x");
  unfork_symbolic(&c, sizeof c, "c");
  unfork_assume(x > -100);
  unfork_assume(x < 100);
  return checked(u, x, c) > 20 ? 1 : 0;
}
