/* expect: unsafe
   open: assigns */
/*@ requires n >= 4 && \valid(a + (0 .. n-1)); assigns a[0 .. n-2]; */
void f(int *a, int n) { if (a[0] == 77) a[n-1] = 1; }
