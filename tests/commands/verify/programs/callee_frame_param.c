/* expect: unsafe */
/*@ requires 0 <= *i < n && \valid(i) && \valid(a + (0 .. n-1)) && \separated(i, a + (0 .. n-1)); assigns *i, a[*i]; ensures *i == \old(*i) + 1; */
void h(int *a, int n, int *i) { a[*i] = 1; ++*i; }
/*@ requires 3 <= n && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures a[0] == \old(a[0]); */
void f(int *a, int n) { int i = 0; h(a, n, &i); }
