/* expect: unknown
   says: a loop cannot be cut: it allocates a block of any length */
#include <stdlib.h>
/*@ requires n > 0; assigns \nothing; */
void f(int n)
{
    /*@ loop invariant 0 <= i <= 3; loop assigns i; loop variant 3 - i; */
    for (int i = 0; i < 3; i++) { int *b = malloc(n * sizeof *b); free(b); }
}
