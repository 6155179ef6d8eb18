/* expect: unsafe */
static int g[4];
/*@ requires 0 <= n <= 4; requires g[1] == 0; assigns g[0 .. 3]; ensures n >= 2 ==> g[1] == 0; */
void f(int n) {
  /*@ loop invariant 0 <= i <= n; loop assigns i, g[i-1]; loop variant n - i; */
  for (int i = 0; i < n; i++) g[i] = 3;
}
