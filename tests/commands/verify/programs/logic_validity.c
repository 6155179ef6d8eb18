/* expect: safe
   What is valid is said by predicates. */
/*@ predicate Array(int *a, integer n) = n >= 0 && \valid(a + (0 .. n-1));
    predicate Filled(int *b, integer m) = m > 0 && Array(b, m); */
/*@ requires Filled(a, n) && Array(b, n) && \separated(a + (0 .. n-1), b + (0 .. n-1));
    assigns a[0], b[0];
    ensures a[0] == 1 && b[0] == 2; */
void f(int *a, int *b, int n) { a[0] = 1; b[0] = 2; }
