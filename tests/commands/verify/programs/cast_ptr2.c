/* expect: unsafe */
/*@ requires n >= 2 && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures a[1] == \old(a[1]); */
void f(int *a, int n) { *(long *)a = 1; }
