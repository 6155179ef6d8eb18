/* expect: unsafe */
/*@ requires n >= 1 && \valid(a + (0 .. n-1)); assigns \nothing; ensures \result >= 0; */
int f(signed char *a, int n) { return a[0]; }
