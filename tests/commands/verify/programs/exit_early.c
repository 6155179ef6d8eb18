/* The function may end the program.
   expect: unknown
   says: the function ends the program (exit or abort) */
#include <stdlib.h>
/*@ requires n >= 0; assigns \nothing; ensures \result == 1; */
int f(int n) { if (n > 5) exit(0); return 1; }
