/* expect: unsafe */
/*@ requires n > 0 ==> \valid(p + (0 .. n-1)); assigns p[0 .. n-1]; */
void f(int *p, int n) { if (p && n >= 0) p[0] = 1; }
