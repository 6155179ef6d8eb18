/* expect: unknown
   open: ensures */
/*@ requires n >= 1 && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures \exists integer m; \forall integer k; 0 <= k < n ==> a[k] <= m && m < 100; */
void f(int *a, int n) { a[0] = 3; }
