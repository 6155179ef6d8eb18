/* From the second turn on, the pointer leads to another object: the sixth turn writes there, too.
   expect: unsafe
   options: --loops abstract
   input: n=6 */
#include <assert.h>
#include "unfork.h"

static int first[4];

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  if (n > 6) return 0;
  int second = 1;
  int *p = first;
  for (int i = 0; i < (int)n; i++) {
    *p = i;
    p = &second;
  }
  assert(second < 3); /* BUG: assert */
  return 0;
}
