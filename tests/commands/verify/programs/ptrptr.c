/* expect: unknown */
/*@ requires \valid(pp) && \valid(*pp) && \valid(p); assigns **pp, *p; ensures *p == 1; */
void f(int **pp, int *p) { *p = 1; **pp = 2; }
