/* The counter wraps before it comes to the end.
   expect: unknown
   open: ensures */
/*@ requires n == 300; requires \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures \forall integer k; 0 <= k < n ==> a[k] == 0; */
void f(int *a, int n) {
  /*@ loop invariant 0 <= i <= 255; loop invariant \forall integer k; 0 <= k < i ==> a[k] == 0; loop assigns i, a[0 .. n-1]; */
  for (unsigned char i = 0; i < n; i++) { a[i] = 0; if (i == 255) break; }
}
