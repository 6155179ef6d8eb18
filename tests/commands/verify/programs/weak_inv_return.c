/* expect: unknown
   open: ensures */
/*@ requires n >= 0; requires \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures \result == 0; */
int f(int *a, int n) {
  /*@ loop invariant 0 <= i <= n; loop assigns i, a[0 .. n-1]; loop variant n - i; */
  for (int i = 0; i < n; i++) { a[i] = i; if (a[0] == 5) return 1; }
  return 0;
}
