/* expect: unsafe */
/*@ requires \valid(p) && \valid(q); assigns *p, *q; ensures *p == 1; */
void f(int *p, unsigned *q) { *p = 1; *q = 2; }
