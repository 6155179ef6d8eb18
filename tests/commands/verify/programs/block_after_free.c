/* expect: unsafe
   open: use-after-free */
#include <stdlib.h>
/*@ requires n > 0; assigns \nothing; */
void f(int n) { int *b = malloc(n * sizeof *b); free(b); b[0] = 1; }
