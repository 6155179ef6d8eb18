/* expect: unsafe */
/*@ requires n >= 1 && n < 1000; assigns \nothing; ensures \result == n + 1; */
int f(int n) {
  int i = 0; int m = n;
  /*@ loop invariant 0 <= i <= n; loop invariant m >= \at(m, LoopEntry); loop assigns i, m; loop variant n - i; */
  while (i < n) { i++; if (m < 5000) m++; }
  return m;
}
