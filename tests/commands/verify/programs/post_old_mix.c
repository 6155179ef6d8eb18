/* expect: unsafe */
/*@ requires n >= 2 && \valid(a + (0 .. n-1)) && 0 <= a[0] < n; assigns a[0 .. n-1]; ensures a[\old(a[0])] == 7; */
void f(int *a, int n) { a[a[0]] = 7; a[0] = 1; }
