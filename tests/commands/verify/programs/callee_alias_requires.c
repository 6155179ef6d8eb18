/* The callee wants its pointers apart.
   expect: unsafe */
/*@ requires \valid(p) && \valid(q) && \separated(p, q); assigns *p; ensures *q == \old(*q); ensures *p == 1; */
void h(int *p, int *q) { *p = 1; }
/*@ requires \valid(p) && *p == 0; assigns *p; ensures *p == 0; */
void f(int *p) { h(p, p); }
