/* expect: unsafe */
/*@ requires n >= 2 && \valid(p + (0 .. n-1)) && \valid(q + (0 .. n-1)); assigns p[0 .. n-1]; ensures q[0] == \old(q[0]) || p == q; */
void f(int *p, int *q, int n) { p[1] = q[0] + (q[0] < 5); }
