/* The loop lists the element of the last turn only.
   expect: unsafe
   open: assigns */
/*@ requires n >= 0 && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; */
void f(int *a, int n) {
  /*@ loop invariant 0 <= i <= n; loop assigns i, a[i-1]; loop variant n - i; */
  for (int i = 0; i < n; i++) a[i] = 1;
}
