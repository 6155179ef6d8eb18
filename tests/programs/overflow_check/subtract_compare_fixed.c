/* expect: safe
   options: --check overflow
   native: asan */
#include <assert.h>
#include "unfork.h"

static int compare(int a, int b) { return (a > b) - (a < b); }

int main(void) {
  int a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  assert(compare(a, b) == -compare(b, a));
  return 0;
}
