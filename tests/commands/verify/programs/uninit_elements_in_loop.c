/* The same of the elements of an array of any length.
   expect: unsafe
   open: uninitialised
   options: --check memory,uninitialised */
/*@ requires 5 <= n <= 100 && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures \result >= 0; */
int f(int n, int *a) {
  int x, i;
  /*@ loop invariant 0 <= i <= n; loop assigns i, a[0 .. n-1]; loop variant n - i; */
  for (i = 0; i < n; i++) a[i] = x;
  return a[0] ? 1 : 0;
}
