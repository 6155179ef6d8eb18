/* expect: unsafe
   open: double-free */
#include <stdlib.h>
/*@ requires n > 0; assigns \nothing; */
void f(int n) { int *b = malloc(n * sizeof *b); free(b); free(b); }
