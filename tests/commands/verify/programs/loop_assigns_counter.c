/* The counter is a local that the loop changes: it must be listed.
   expect: unsafe
   open: assigns */
/*@ requires n >= 0; assigns \nothing; ensures \result == n; */
int f(int n) {
  int i = 0;
  /*@ loop invariant 0 <= i <= n; loop assigns \nothing; loop variant n - i; */
  while (i < n) i++;
  return i;
}
