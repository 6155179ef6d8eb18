/* The element in the middle is left out by the recursion.
   expect: unsafe */
/*@ requires n >= 0 && \valid(a + (0 .. n-1)); decreases n; assigns a[0 .. n-1]; ensures \forall integer k; 0 <= k < n ==> a[k] == 0; */
void f(int *a, int n) { if (n > 0) { int m = n / 2; f(a, m); f(a + m + 1, n - m - 1); } }
