/* expect: safe */
/*@ predicate AllSmall{L}(int *a, integer n) = n <= 0 || (a[n-1] < 10 && AllSmall{L}(a, n - 1)); */
/*@ requires n >= 0 && \valid_read(a + (0 .. n-1));
    assigns \nothing;
    ensures \result <==> AllSmall(a, n); */
int small(const int *a, int n) {
  /*@ loop invariant 0 <= i <= n && (AllSmall(a, n) ==> AllSmall(a, n - i));
      loop invariant AllSmall(a, n - i) ==> AllSmall(a, n);
      loop assigns i;
      loop variant n - i; */
  for (int i = 0; i < n; i++)
    if (a[n - 1 - i] >= 10)
      return 0;
  return 1;
}
