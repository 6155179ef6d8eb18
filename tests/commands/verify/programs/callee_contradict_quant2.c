/* What the callee ensures cannot be of any element, and nothing reads one.
   expect: unsafe */
/*@ requires n >= 5 && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures \forall integer k; 0 <= k < n ==> a[k] == \old(a[k]) + 1 && a[k] == \old(a[k]); */
void h(int *a, int n) { h(a, n); }
/*@ requires n >= 5 && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures a[0] == 5; */
void f(int *a, int n) { h(a, n); }
