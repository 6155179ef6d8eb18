/* expect: unsafe */
/*@ requires \valid(a + (0 .. n-1)) && 0 <= i < n; assigns a[i]; ensures a[i] == 7; */
void h(int *a, int n, int i) { a[i] = 7; }
/*@ requires 3 <= n; requires \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures a[1] == \old(a[1]); */
void f(int *a, int n) {
  /*@ loop invariant 0 <= i <= n; loop assigns i, a[0 .. n-1]; loop variant n - i; */
  for (int i = 0; i < n; i++) h(a, n, i);
}
