/* Nothing reads the local after the loop; it changes all the same.
   expect: unknown
   open: assigns */
/*@ requires n >= 0; requires \valid_read(a + (0 .. n-1)); assigns \nothing; */
void f(const int *a, int n) {
  int element;
  /*@ loop invariant 0 <= i <= n; loop assigns i; loop variant n - i; */
  for (int i = 0; i < n; i++) element = a[i];
}
