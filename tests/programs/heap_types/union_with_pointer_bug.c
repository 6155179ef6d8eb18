/* A union that may hold a pointer holds what it is first read as.
   expect: unsafe
   options: --function value --max-size 16
   native: none (a function that is run alone) */
#include "unfork.h"

struct tagged { int tag; union { int number; int *pointer; } u; };

int value(struct tagged *t) {
  if (!t) return 0;
  if (t->tag == 1) return *t->u.pointer; /* BUG: null-dereference */
  unfork_check(t->tag != 2 || t->u.number != 99); /* BUG: assert */
  return t->u.number;
}
