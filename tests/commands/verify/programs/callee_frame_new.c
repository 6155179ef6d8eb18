/* The callee writes at the index that it has changed; what it lists is where the index was.
   expect: unsafe
   open: assigns */
/*@ requires 0 <= *i < n - 1 && \valid(i) && \valid(a + (0 .. n-1)) && \separated(i, a + (0 .. n-1)); assigns *i, a[*i]; ensures *i == \old(*i) + 1; */
void h(int *a, int n, int *i) { ++*i; a[*i] = 1; }
/*@ requires 3 <= n && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures a[1] == \old(a[1]); */
void f(int *a, int n) { int i = 0; h(a, n, &i); }
