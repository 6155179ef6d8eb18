/* expect: unsafe
   Two arrays may be one, also if a predicate says that they are valid. */
/*@ predicate Array(int *a, integer n) = n > 0 && \valid(a + (0 .. n-1)); */
/*@ requires Array(a, n) && Array(b, n);
    assigns a[0], b[0];
    ensures a[0] == 1 && b[0] == 2; */
void f(int *a, int *b, int n) { a[0] = 1; b[0] = 2; }
