/* The two sides of a branch differ in nothing but what is known of one number.
   expect: unsafe
   input: x=1073741876 x=0 x=-5
   input: x=1073741876 x=0 x=777 */
#include "unfork.h"

static int up(int x) { return x; }
static int down(int x) { return x; }

int main(void) {
  int level = 0;
  for (int i = 0; i < 3; i++) {
    int x;
    unfork_symbolic(&x, sizeof x, "x");
    if (x > 100)
      level = up(x);
    else
      level = down(x);
  }
  unfork_check(level != 777); /* BUG: assert */
  unfork_check(level != -5); /* BUG: assert */
  return level > 0;
}
