/* What was read of a union stays, and a test has it: first four bytes of it, then the struct that it is part of.
   expect: unsafe
   options: --function copied
   native: none (a function that is run alone) */
#include "unfork.h"

struct item { int tag; union { char *text; struct { int low, high; } halves; long whole[2]; } u; };

int copied(struct item *item) {
  struct item copy;
  if (!item || item->u.halves.low != 0x11223344) return 0;
  copy = *item;
  unfork_check(copy.u.whole[0] != 0x5566778811223344); /* BUG: assert */
  return copy.u.whole[1] == 9 && copy.tag == 5 ? 1 / (copy.u.halves.low - 0x11223344) : 0; /* BUG: div-by-zero */
}
