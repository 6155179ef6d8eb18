/* No array is shorter than ten elements.
   expect: unsafe
   open: ensures */
/*@ requires n >= 10 && \valid(a + (0 .. n-1)); assigns \nothing; ensures \result == 0; */
int f(int *a, int n) { return a[n - 1] == a[8]; }
