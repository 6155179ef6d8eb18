/* A function without a contract whose loop has one is called twice, and may leave its loop early.
   expect: unsafe */
static int count(int n) {
  int i = 0;
  /*@ loop invariant 0 <= i <= n; loop assigns i; loop variant n - i; */
  while (i < n) { i++; if (i == 7) return 7; }
  return i;
}
/*@ requires 0 <= n <= 100; assigns \nothing; ensures \result == 2 * n; */
int f(int n) { int a = count(n), b = count(n); return a + b; }
