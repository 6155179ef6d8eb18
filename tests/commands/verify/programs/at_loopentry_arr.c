/* expect: unsafe */
/*@ requires n >= 1 && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures a[0] == \old(a[0]); */
void f(int *a, int n) {
  a[0] = 5;
  /*@ loop invariant 0 <= i <= n; loop invariant a[0] == \at(a[0], LoopEntry); loop assigns i, a[0 .. n-1]; loop variant n - i; */
  for (int i = 0; i < n; i++) if (i) a[i] = 1;
}
