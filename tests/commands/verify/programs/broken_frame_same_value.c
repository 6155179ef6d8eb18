/* What is written is what was there: nothing is assigned by that, although it is not proved.
   expect: unknown
   open: assigns */
/*@ requires n >= 4 && \valid(a + (0 .. n-1)); assigns a[0]; */
void f(int *a, int n) { a[3] = a[3]; }
