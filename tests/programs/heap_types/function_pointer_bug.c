/* A function pointer is null or one of the program's functions of its type.
   expect: unsafe
   options: --function apply
   native: none (a function that is run alone) */
#include "unfork.h"

static int twice(int x) { return x > 1000 || x < -1000 ? 0 : 2 * x; }
static int zero(int x) { return x & 0; }
static void other(void) { unfork_check(0); }
void (*unused)(void) = other;

struct step { int (*run)(int); int value; };

int apply(struct step *s) {
  if (!s || s->value != 7 || s->run == zero) return 0;
  return s->run(s->value) == 14 ? 1 : 2; /* BUG: null-dereference */
}

int (*table[])(int) = {twice, zero};
