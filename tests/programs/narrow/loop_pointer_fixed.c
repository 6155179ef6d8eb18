/* The pointer leads to either variable, and to nothing else.
   expect: safe
   options: --data-model ILP32 --loops abstract
   native: none (for 32 bits) */
#include <stdlib.h>
#include "unfork.h"

struct holder { int count; int *at; int rest[4]; };
static int first = 1, second = 2;

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_assume(n < 4);
  struct holder *holder = calloc(1, sizeof *holder);
  if (!holder) return 0;
  holder->at = &first;
  for (unsigned i = 0; i < n; i++) holder->at = holder->at == &first ? &second : &first;
  unfork_check(*holder->at == 1 || holder->at == &second);
  free(holder);
  return 0;
}
