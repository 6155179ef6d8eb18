/* expect: unsafe */
/*@ requires n >= 1 && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures \forall integer k; 0 <= k < n ==> \old(a[k]) == 0 ==> a[k] == 0; */
void f(int *a, int n) { a[0] = n; }
