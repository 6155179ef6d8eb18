/* expect: unknown
   says: realloc of a block of any length */
#include <stdlib.h>
/*@ requires 0 < n < 10000; assigns \nothing; */
void f(int n) { int *b = malloc(n * sizeof *b); b = realloc(b, 2 * n * sizeof *b); free(b); }
