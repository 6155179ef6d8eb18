/* One element of a local array is listed, and another one written.
   expect: unsafe
   open: assigns */
/*@ requires n >= 0; assigns \nothing; */
int f(int n) {
  int pair[2] = {0, 0};
  /*@ loop invariant 0 <= i <= n; loop assigns i, pair[0]; loop variant n - i; */
  for (int i = 0; i < n; i++) pair[i & 1] = 0 * i + 1;
  return pair[0];
}
