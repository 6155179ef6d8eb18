/* What is listed moves down with the loop.
   expect: unsafe */
/*@ requires n >= 4 && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures a[n-1] == \old(a[n-1]); */
void f(int *a, int n) {
  /*@ loop invariant -1 <= i < n; loop assigns i, a[i + 1 .. i + 1]; loop variant i + 1; */
  for (int i = n - 1; i >= 0; i--) a[i] = 2;
}
