/* expect: unsafe */
/*@ requires n >= 0; requires \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures \forall integer k; 0 <= k < n ==> a[k] == 0; */
void f(int *a, int n) {
  /*@ loop invariant 0 <= i <= n; loop invariant \forall integer k; 0 <= k < i ==> a[k] == 0; loop assigns i, a[0 .. n-1]; loop variant n - i; */
  for (int i = 0; i < n; i++) { if (a[i] == 5) continue; a[i] = 0; }
}
