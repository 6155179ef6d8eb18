/* expect: unsafe */
/*@ predicate Sorted{L}(int *a, integer n) = \forall integer i, j; 0 <= i < j < n ==> a[i] <= a[j]; */
/*@ requires n > 1 && \valid(a + (0 .. n-1)) && Sorted(a, n);
    assigns a[n-1];
    ensures Sorted(a, n); */
void f(int *a, int n) { a[n - 1] = 7; }
