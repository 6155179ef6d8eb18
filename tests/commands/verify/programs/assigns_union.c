/* expect: safe */
/*@ requires \valid(p) && \valid(a + (0 .. 3)); assigns \union(*p, \empty, \union(a[0 .. 1], a[3])), \empty; */
void f(int *p, int *a) { *p = 1; a[1] = 2; a[3] = 4; }
