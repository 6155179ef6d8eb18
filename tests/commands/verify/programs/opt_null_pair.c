/* expect: unsafe */
/*@ requires p == \null || \valid(p); requires q == \null || \valid(q); assigns *p, *q; ensures p != \null && q != \null ==> *p == 1; */
void f(int *p, int *q) { if (p) *p = 1; if (q) *q = 2; }
