/* expect: unsafe */
/*@ requires n >= 1 && \valid(a + (0 .. n-1)); requires !(\exists integer k; 0 <= k < n && a[k] > 5); assigns \nothing; ensures \result <= 4; */
int f(int *a, int n) { return a[n-1]; }
