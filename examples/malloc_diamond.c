/* A chain of MAX diamonds, each of which allocates on both of its sides (Chu17, Fig. 1): 2^MAX paths that differ in
   nothing but the names of what they allocated. OTHER is what the second side adds; with 2 the heaps differ as well.

     unfork run examples/malloc_diamond.c              its paths joined to one, exit status 0
     unfork run -D OTHER=2 examples/malloc_diamond.c   the same
     unfork run --merge none -D MAX=10 examples/malloc_diamond.c    1,024 paths

   expect: safe
   paths: 64
   native: none (the native run would have to free what it allocates)
*/
#include <assert.h>
#include <stdlib.h>

#include "unfork.h"

#ifndef MAX
#define MAX 6
#endif
#ifndef OTHER
#define OTHER 1
#endif

int main(void) {
  int start;
  char second[MAX];
  int *last = malloc(sizeof *last);

  unfork_symbolic(&start, sizeof start, "start");
  unfork_symbolic(second, sizeof second, "second");
  unfork_assume(start < 1000000);
  *last = start;
  for (int i = 0; i < MAX; ++i) {
    int *next;
    if (second[i]) {
      next = malloc(sizeof *next);
      *next = *last + OTHER;
    } else {
      next = malloc(sizeof *next);
      *next = *last + 1;
    }
    last = next;
  }
  assert(*last >= start + MAX);
  return 0;
}
