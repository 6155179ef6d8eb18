/* expect: unknown
   open: ensures */
#include <stdlib.h>
/*@ requires n > 0; assigns \nothing; ensures \result == 0; */
int f(int n) { int *b = malloc(n * sizeof *b); int r = b[0]; free(b); return r; }
