/* expect: safe
   options: --check overflow
   native: asan */
#include <assert.h>
#include "unfork.h"

static int middle(int low, int high) { return low + (high - low) / 2; }

int main(void) {
  int low, high;
  unfork_symbolic(&low, sizeof low, "low");
  unfork_symbolic(&high, sizeof high, "high");
  unfork_assume(0 <= low && low <= high);
  int m = middle(low, high);
  assert(low <= m && m <= high);
  return 0;
}
