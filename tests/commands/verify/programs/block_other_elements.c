/* expect: unknown
   says: may begin anywhere in an element */
#include <stdlib.h>
/*@ requires 0 <= i < n; assigns \nothing; */
void f(int n, int i) { int *b = malloc(8L * n); b[i] = 1; free(b); }
