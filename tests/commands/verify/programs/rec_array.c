/* The smallest array is forgotten by the recursion.
   expect: unsafe */
/*@ requires n >= 0 && \valid(a + (0 .. n-1)); decreases n; assigns a[0 .. n-1]; ensures \forall integer k; 0 <= k < n ==> a[k] == 0; */
void f(int *a, int n) { if (n > 1) { a[n-1] = 0; f(a, n - 1); } }
