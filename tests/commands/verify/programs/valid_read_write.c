/* expect: unsafe */
/*@ requires \valid_read(p) && \valid(q); assigns *q; ensures *p == \old(*p); */
void f(int *p, int *q) { *q = 3; }
