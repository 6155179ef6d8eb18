/* expect: unsafe */
/*@ requires 0 <= i < 3 && \valid(a + (0 .. 3)); assigns a[i]; */
void f(int *a, int i) { a[i + 1] = 0; }
