/* expect: unsafe */
static int g;
/*@ requires 0 <= n <= 10; requires g == 0; assigns g; ensures g == 0; */
void f(int n) {
  /*@ loop invariant 0 <= i <= n; loop assigns i; loop variant n - i; */
  for (int i = 0; i < n; i++) g++;
}
