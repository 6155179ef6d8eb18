/* The last array of a struct may be of any length where it has none, or one as was the custom.
   expect: safe
   options: --check memory,bounds
   native: asan */
#include <stdlib.h>
#include "unfork.h"

struct flexible { int length; int cells[]; };
struct old { int length; int cells[1]; };

int main(void) {
  int i, array[4] = {0}, *past = &array[4];
  struct { int cells[4]; int after; } s = {{0}, 0};
  unfork_symbolic(&i, sizeof i, "i");
  if (i < 0 || i > 3) return 0;
  struct flexible *f = calloc(1, sizeof *f + 16);
  struct old *o = calloc(1, sizeof *o + 12);
  f->cells[i] = s.cells[i];
  o->cells[i] = f->cells[i];
  int last = *(past - 1 - i);
  free(f);
  free(o);
  return last;
}
