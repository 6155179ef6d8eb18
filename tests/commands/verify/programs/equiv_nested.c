/* expect: unsafe */
/*@ requires n >= 1 && \valid(a + (0 .. n-1)); assigns \nothing;
 ensures !((\exists integer k; 0 <= k < n && a[k] == v) <==> \result == 0); */
int f(int *a, int n, int v) {
  /*@ loop invariant 0 <= i <= n; loop invariant !(\exists integer k; 0 <= k < i && a[k] == v); loop assigns i; loop variant n - i; */
  for (int i = 0; i < n - 1; i++) if (a[i] == v) return 1;
  return 0; }
