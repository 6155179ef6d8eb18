/* expect: unsafe */
int g[10];
/*@ requires 0 <= n < 10; assigns g[0]; ensures g[0] == \old(g[0]); */
void f(int n) { g[n] = 3; }
