/* A byte of an int is written.
   expect: unsafe */
/*@ requires n >= 1 && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures a[0] == \old(a[0]); */
void f(int *a, int n) { ((char *)a)[0] = 1; }
