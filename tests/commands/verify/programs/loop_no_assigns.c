/* Nothing says what the loop assigns, so the whole array is forgotten.
   expect: unsafe */
/*@ requires n >= 2 && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures a[1] == \old(a[1]); */
void f(int *a, int n) {
  /*@ loop invariant 0 <= i <= n; loop variant n - i; */
  for (int i = 0; i < n; i++) a[i] = 1;
}
