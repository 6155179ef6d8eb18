/* expect: unsafe */
/*@ requires \valid(p) && \valid(a + (0 .. 3)); assigns \union(*p, a[0 .. 1]); */
void f(int *p, int *a) { *p = 1; a[2] = 2; }
