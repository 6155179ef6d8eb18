/* expect: unknown */
/*@ requires n >= 5 && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures \forall integer k; 0 <= k < n ==> a[k] > 0; ensures \forall integer k; 0 <= k < n ==> a[k] < 0; */
void h(int *a, int n);
/*@ requires n >= 5 && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures a[0] == 5; */
void f(int *a, int n) { h(a, n); }
