/* expect: unsafe
   A sum is another one after an element was written. */
/*@ logic integer Sum{L}(int *a, integer n) = n <= 0 ? 0 : Sum{L}(a, n - 1) + a[n-1]; */
/*@ requires n > 0 && \valid(a + (0 .. n-1));
    assigns a[0];
    ensures Sum(a, n) == Sum{Old}(a, n); */
void f(int *a, int n) { a[0] = 3; }
