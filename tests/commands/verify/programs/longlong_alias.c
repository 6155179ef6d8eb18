/* expect: unknown
   says: a pointer is compared with a number */
/*@ requires \valid(p) && \valid(q); assigns *p, *q; ensures *p == 1; */
void f(int **p, int **q) { static int x; *p = &x; *q = 0; }
