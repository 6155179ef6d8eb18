/* expect: unsafe */
static int depth;
/*@ requires n >= 0; decreases n; assigns depth; ensures depth == \old(depth); */
void f(int n) { if (depth < 1000) depth++; if (n > 0) f(n - 1); }
