/* One of the places that are listed moves along with the loop.
   expect: unsafe */
/*@ requires n >= 4 && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures a[1] == \old(a[1]); */
void f(int *a, int n) {
  /*@ loop invariant 0 <= i <= n; loop assigns i, a[i-1], a[0]; loop variant n - i; */
  for (int i = 0; i < n; i++) { a[0] = 1; a[i] = 2; }
}
