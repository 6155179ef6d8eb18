/* The callee clears all but the last element.
   expect: unsafe */
/*@ requires 0 <= lo <= hi <= n && \valid(a + (0 .. n-1)); assigns a[lo .. hi-1]; ensures \forall integer k; lo <= k < hi ==> a[k] == 0; */
void clear(int *a, int n, int lo, int hi) {
 /*@ loop invariant lo <= i <= hi; loop invariant \forall integer k; lo <= k < i ==> a[k] == 0; loop assigns i, a[lo .. hi-1]; loop variant hi - i; */
 for (int i = lo; i < hi; i++) a[i] = 0; }
/*@ requires n >= 4 && \valid(a + (0 .. n-1)) && a[0] == 1; assigns a[0 .. n-1]; ensures a[n-1] == 0; ensures a[0] == 1; */
void f(int *a, int n) { clear(a, n, 1, n - 1); }
