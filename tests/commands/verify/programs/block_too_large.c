/* expect: unknown
   says: a block of more than */
#include <stdlib.h>
/*@ assigns \nothing; */
int *f(int n) { return malloc(n * sizeof(int)); }
