/* expect: unknown
   open: invariant kept */
/*@ requires n >= 1 && n < 1000 && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures a[0] == 5; */
void f(int *a, int n) {
  a[0] = 5;
  /*@ loop invariant 0 <= i <= n; loop invariant a[0] == 5; loop assigns i, a[0 .. n-1]; loop variant n - i; */
  for (int i = 0; i < n; i++) {
    /*@ loop invariant 0 <= j <= n; loop assigns j, a[0 .. n-1]; loop variant n - j; */
    for (int j = 0; j < n; j++) if (j != 1) a[j] = 5; else a[j] = 6;
  }
}
