/* What the loop assigns moves along with it: at its head, only the last element would be forgotten.
   expect: unsafe */
/*@ requires n >= 2; requires \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures a[0] == \old(a[0]); */
void f(int *a, int n) {
  /*@ loop invariant 0 <= i <= n; loop assigns i, a[i-1]; loop variant n - i; */
  for (int i = 0; i < n; i++) a[i] = 7;
}
