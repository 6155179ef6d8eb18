/* A predicate that asks for a length is refused by name: an answer would come too late for the accesses of the path.
   expect: unknown unsupported
   options: --function last --requires holds
   native: none (a function that is run alone) */
#include "unfork.h"

int holds(const int *a, int n) { return a && n > 0 && unfork_length(a) == (unsigned long)n; }

int last(const int *a, int n) { return a[n]; }
