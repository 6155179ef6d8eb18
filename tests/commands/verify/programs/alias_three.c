/* The third pointer may be either of the two that differ.
   expect: unsafe */
/*@ requires \valid(p) && \valid(q) && \valid(r) && p != q; assigns *p, *q, *r; ensures *p == 1 && *q == 2; */
void f(int *p, int *q, int *r) { *p = 1; *q = 2; *r = 3; }
