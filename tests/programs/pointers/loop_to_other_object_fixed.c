/* From the second turn on, the pointer leads to another object: no turn writes more than 5 there.
   expect: safe
   options: --loops abstract */
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
  assert(second < 6);
  return 0;
}
