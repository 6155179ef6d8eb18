/* expect: unsafe */
/*@ requires n >= 1 && \valid(a + (0 .. n-1)); assigns \nothing; ensures *\result == a[0]; ensures \result == a; */
int *f(int *a, int n) { return a + (n > 1); }
