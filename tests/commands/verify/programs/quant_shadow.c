/* expect: unsafe
   open: ensures */
/*@ requires n >= 1 && \valid(a + (0 .. n-1)); assigns \nothing; ensures \forall integer n; n >= 0 ==> \result == 0; */
int f(int *a, int n) { return a[0] == n; }
