/* expect: unsafe */
/*@ requires \valid(p); assigns *p; ensures *p == \old(*p) + 1; */
void f(int *p) { if (*p < 100) (*p)++; }
