/* Under old, the index is what it was, too.
   expect: unsafe */
/*@ requires n >= 2 && \valid(a + (0 .. n-1)) && a[0] == 1 && a[1] == 0; assigns a[0 .. n-1]; ensures \old(a[a[0]]) == 1; */
void f(int *a, int n) { a[0] = 0; a[1] = 1; }
