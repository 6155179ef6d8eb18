/* expect: unsafe */
/*@ requires n >= 0 && n < 100000 && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures \forall integer k; 0 <= k < n ==> a[k] == 0; */
void f(int *a, int n) {
  int *p = a;
  /*@ loop invariant a <= p <= a + n; loop invariant \forall integer k; 0 <= k < p - a ==> a[k] == 0; loop assigns p, a[0 .. n-1]; */
  for (; p < a + n; p += 2) *p = 0;
}
