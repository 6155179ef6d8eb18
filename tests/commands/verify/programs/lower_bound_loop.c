/* expect: unsafe */
/*@ requires n >= 1; requires \valid(a + (0 .. n-1)); assigns \nothing; ensures \result == 0 ==> \forall integer k; 0 <= k < n ==> a[k] != v; */
int f(int *a, int n, int v) {
  /*@ loop invariant -1 <= i < n; loop invariant \forall integer k; i < k < n ==> a[k] != v; loop assigns i; loop variant i + 1; */
  for (int i = n - 1; i > 0; i--) if (a[i] == v) return 1;
  return 0;
}
