/* expect: unsafe */
/*@ requires n >= 0 && n < 1000; assigns \nothing; ensures \result == n; */
int f(int n) { int i = 0;
  /*@ loop invariant 0 <= i; loop invariant i <= n; loop assigns i; loop variant n - i; */
  do { i++; } while (i < n);
  return i; }
