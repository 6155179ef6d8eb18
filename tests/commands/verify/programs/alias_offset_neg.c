/* expect: unsafe */
/*@ requires n >= 2 && \valid(p + (0 .. n-1)) && \valid(q + (0 .. n-1)); requires q < p; assigns p[0 .. n-1]; ensures q[1] == \old(q[1]); */
void f(int *p, int *q, int n) { p[0] = 7; }
