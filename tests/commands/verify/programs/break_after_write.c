/* The last turn writes and leaves by break; what it wrote is not forgotten.
   expect: unsafe */
/*@ requires n >= 1; requires \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures \forall integer k; 0 <= k < n ==> a[k] == \old(a[k]); */
void f(int *a, int n) {
  /*@ loop invariant 0 <= i <= n; loop assigns i; loop variant n - i; */
  for (int i = 0; i < n; i++) { if (a[i] == 3) { a[i] = 4; break; } }
}
