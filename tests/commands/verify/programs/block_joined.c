/* expect: safe
   options: --merge static --similar always --join ite */
#include <stdlib.h>
/*@ requires 0 < n; requires \valid(b + (0 .. n-1)); assigns b[0 .. n-1]; ensures \result == 3; */
int f(int *b, int n, int c)
{
    int *p = b, *q = 0;
    if (c) { p = malloc(n * sizeof *p); p[0] = 3; } else { b[0] = 3; }
    if (c < 9) { q = malloc(n * sizeof *q); q[0] = 5; } else { q = malloc(8L * n); q[0] = 5; }
    return p[0] + q[0] - 5;
}
