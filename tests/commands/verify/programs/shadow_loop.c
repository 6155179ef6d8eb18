/* expect: unsafe */
/*@ requires n >= 0 && n < 100; assigns \nothing; ensures \result == 0; */
int f(int n) {
  int i = 50;
  /*@ loop invariant 0 <= i <= n; loop assigns i; loop variant n - i; */
  for (int i = 0; i < n; i++) ;
  return i;
}
