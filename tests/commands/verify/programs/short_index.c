/* The counter does not reach the end.
   expect: unknown
   open: invariant kept */
/*@ requires n == 40000 && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures \forall integer k; 0 <= k < n ==> a[k] == 0; */
void f(char *a, int n) {
  /*@ loop invariant 0 <= i <= n; loop invariant \forall integer k; 0 <= k < i ==> a[k] == 0; loop assigns i, a[0 .. n-1]; */
  for (short i = 0; i < n; i++) a[i] = 0;
}
