/* expect: unsafe
   open: ensures */
/*@ requires n >= 1 && \valid(a + (0 .. n-1)); requires (\forall integer k; 0 <= k < n ==> a[k] == 0) ==> n == 3; assigns \nothing; ensures n == 3; */
int f(int *a, int n) { return 0; }
