/* What is listed is one element further where the turn is over.
   expect: unsafe */
/*@ requires n >= 2; requires \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures a[0] == \old(a[0]); */
void f(int *a, int n) {
  int i = 0;
  /*@ loop invariant 0 <= i <= n; loop assigns i, a[i]; loop variant n - i; */
  while (i < n) { a[i] = 7; i++; }
}
