/* expect: unsafe */
/*@ requires \valid(p) && \valid(q); assigns \nothing; ensures \result == 1; */
int f(int *p, int *q) { return p <= q; }
