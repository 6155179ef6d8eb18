/* expect: unknown
   says: m and q may lead to the same memory */
/*@ requires \valid(m + (0 .. 1)) && \valid(q); assigns m[0 .. 1], *q; ensures m[0][1] == 1; */
void f(int (*m)[2], int *q) { m[0][1] = 1; *q = 2; }
