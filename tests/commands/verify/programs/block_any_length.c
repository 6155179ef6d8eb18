/* expect: safe */
#include <stdlib.h>
/*@ requires n > 0 && \valid_read(a + (0 .. n-1)); assigns \nothing;
    ensures \result == \null || \valid(\result + (0 .. n-1));
    ensures \result != \null ==> \forall integer k; 0 <= k < n ==> \result[k] == a[k]; */
int *copied(const int *a, int n)
{
    int *b = malloc(n * sizeof *b);
    if (!b) return b;
    /*@ loop invariant 0 <= i <= n; loop invariant \forall integer k; 0 <= k < i ==> b[k] == a[k];
        loop assigns i, b[0 .. n-1]; loop variant n - i; */
    for (int i = 0; i < n; i++) b[i] = a[i];
    return b;
}
/*@ requires n > 1; assigns \nothing; ensures \result == 0; */
int zeros(int n) { int *b = calloc(n, 4); b[n - 1] = 5; int r = b[0]; free(b); return r; }
/*@ requires n > 0; assigns \nothing; ensures \result == 1; */
int two(int n, int m) { int *b = malloc(n * sizeof *b), *c = malloc(n * sizeof *c); b[0] = 1; c[0] = 2; return b[0]; }
