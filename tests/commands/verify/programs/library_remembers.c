/* What the library remembers is no variable of the program: the function assigns nothing.
   expect: safe */
#include <stdlib.h>
/*@ requires 0 <= x < 5; assigns \nothing; ensures 0 <= \result; */
int f(int x) { srand(x); return x; }
