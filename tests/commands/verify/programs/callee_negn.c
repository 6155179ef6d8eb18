/* expect: unsafe */
/*@ requires n >= 0 && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures \forall integer k; 0 <= k < n ==> a[k] == 0; */
void clear(int *a, int n);
/*@ requires n >= 0 && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures n > 0 ==> a[0] == 0; */
void f(int *a, int n) { clear(a, n - 1); }
