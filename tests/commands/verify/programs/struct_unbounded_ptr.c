/* expect: unsafe */
struct s { int *p; int n; };
/*@ requires n >= 1 && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures \result == 1; */
int f(struct s *a, int n) { a[0].p = 0; a[n-1].n = 3; return a[0].p == 0 && a[n-1].n == 3 && a[0].n != 4; }
