/* expect: unknown
   open: ensures */
/*@ requires n >= 0; requires \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures \forall integer k; 0 <= k < n ==> a[k] == 1; */
void f(int *a, long n) {
  /*@ loop invariant 0 <= i; loop invariant \forall integer k; 0 <= k < i ==> a[k] == 1; loop assigns i, a[0 .. n-1]; */
  for (unsigned i = 0; (long)i < n && i < 100; i++) a[i] = 1;
}
