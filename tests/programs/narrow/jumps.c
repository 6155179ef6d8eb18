/* setjmp, longjmp, and functions that run at exit.
   expect: safe
   options: --data-model ILP32
   native: none (for 32 bits) */
#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>
#include "unfork.h"

static struct { int before; jmp_buf place; int after; } kept = {1, {0}, 2};

static void leave(int value) { longjmp(kept.place, value); }
static void last(void) { assert(kept.before == 1 && kept.after == 2); }

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  atexit(last);
  int way = setjmp(kept.place);
  if (!way) leave(x ? 5 : 0);
  assert(way == (x ? 5 : 1));
  return 0;
}
