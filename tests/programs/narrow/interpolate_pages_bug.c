/* A pointer in memory leads far into a block of several pages, whose beginning no state looks at.
   expect: unsafe
   options: --data-model ILP32 --prune interpolate
   native: none (for 32 bits) */
#include <stdlib.h>
#include "unfork.h"

struct holder { char *at; };

int main(void) {
  int a, b, c;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  unfork_symbolic(&c, sizeof c, "c");
  char *large = calloc(4, 1000), *other = calloc(4, 1000);
  struct holder *holder = malloc(sizeof *holder);
  if (!large || !other || !holder) return 0;
  holder->at = a & 1 ? large + 3000 : other + 3000;
  if (b & 1) *holder->at = 1;
  unfork_subsume(1);
  if (c & 1) holder->at++;
  unfork_check(large[3000] == 0); /* BUG: assert */
  unfork_check(holder->at == large + 3000 || holder->at == large + 3001 || !(a & 1));
  free(large);
  free(other);
  free(holder);
  return 0;
}
