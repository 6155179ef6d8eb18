/* expect: unsafe */
/*@ requires 2 <= n <= 100; assigns \nothing; ensures \result == 0; */
int f(int n) {
  int last, r = 0;
  /*@ loop invariant 0 <= i <= n; loop assigns i, last; loop variant n - i; */
  for (int i = 0; i < n; i++) { if (i > 0 && last != i) r = 1; last = i; }
  return r;
}
