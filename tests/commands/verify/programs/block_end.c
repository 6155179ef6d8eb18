/* expect: unsafe
   open: out-of-bounds */
#include <stdlib.h>
/*@ requires n > 0; assigns \nothing; */
void f(int n) { int *b = malloc(n * sizeof *b); b[n] = 1; free(b); }
