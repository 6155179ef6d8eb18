/* expect: unsafe */
/*@ requires \valid(a + (1 .. 0)); assigns a[0]; */
void f(int *a) { a[0] = 1; }
