/* expect: unsafe */
/*@ requires \valid(a + (0 .. n - 1)); assigns a[0 .. n-1]; */
void f(int *a, unsigned n) { a[n - 1] = 1; }
