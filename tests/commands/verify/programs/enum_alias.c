/* expect: unsafe */
enum e { A, B };
/*@ requires \valid(p) && \valid(q); assigns *p, *q; ensures *p == 1; */
void f(enum e *p, unsigned *q) { *p = 1; *q = 0; }
