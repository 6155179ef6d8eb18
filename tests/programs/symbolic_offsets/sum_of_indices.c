/* An index that is a sum of three words, in two orders, names one element.
   expect: unsafe
   native: asan
   input: a=3 b=3 c=4 */
#include "unfork.h"

int main(void) {
  unsigned a, b, c;
  int table[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  unfork_symbolic(&c, sizeof c, "c");
  unfork_assume(a < 4 && b < 4 && c < 5);
  unfork_check(&table[(unsigned long)a + b + c] == table + ((unsigned long)c + b) + a);
  unfork_check(table[(unsigned long)a + b + c] == (int)(a + b + c)); /* BUG: out-of-bounds */
  return 0;
}
