/* expect: unsafe
   open: assigns */
/*@ requires n >= 4 && \valid(a + (0 .. n-1)); assigns a[0 .. 1], a[3 .. n-1]; */
void f(int *a, int n) { a[2] = 1; }
