/* expect: unsafe */
/*@ requires n >= 0; requires \valid(a + (0 .. n-1)); assigns a[0]; */
void f(int *a, int n) { a[0] = 1; }
