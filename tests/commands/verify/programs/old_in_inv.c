/* expect: unsafe */
/*@ requires n >= 1 && n < 100; assigns \nothing; ensures \result == \old(n) + 1; */
int f(int n) {
  int i = 0;
  /*@ loop invariant 0 <= n && i + n == \old(n); loop assigns i, n; loop variant n; */
  while (n > 0) { n--; i++; }
  return i;
}
