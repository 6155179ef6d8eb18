/* expect: unknown
   open: overflow */
/*@ requires n >= 0 && \valid(a + (0 .. 2*n - 1)); assigns a[0 .. 2*n-1]; */
void f(int *a, int n) { if (n > 0) a[2 * n - 1] = 1; }
