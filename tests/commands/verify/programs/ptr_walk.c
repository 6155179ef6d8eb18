/* expect: unknown
   open: ensures */
/*@ requires n >= 0 && n < 100000 && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures \forall integer k; 0 <= k < n ==> a[k] == 0; */
void f(int *a, int n) {
  int *p = a;
  /*@ loop invariant a <= p <= a + n; loop assigns p, a[0 .. n-1]; */
  for (; p < a + n; p++) *p = 0;
}
