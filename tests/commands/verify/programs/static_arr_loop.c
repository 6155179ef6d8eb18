/* expect: unsafe */
static int g[4];
/*@ requires 0 <= n <= 10; requires g[1] == 0; assigns g[0 .. 3]; ensures g[1] == 0; */
void f(int n) {
  /*@ loop invariant 0 <= i <= n; loop assigns i, g[2]; loop variant n - i; */
  for (int i = 0; i < n; i++) g[i % 4] = 3;
}
