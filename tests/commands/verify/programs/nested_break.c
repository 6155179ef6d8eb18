/* expect: unsafe */
/*@ requires 0 <= n <= 100; assigns \nothing; ensures \result == n; */
int f(int n) {
  int s = 0;
  /*@ loop invariant 0 <= i <= n; loop invariant s == i; loop assigns i, s; loop variant n - i; */
  for (int i = 0; i < n; i++) {
    /*@ loop invariant 0 <= j <= 3; loop assigns j; loop variant 3 - j; */
    for (int j = 0; j < 3; j++) { if (j == i) { s += 2; break; } }
    s++;
    if (s > 5) goto out;
  }
out: return s;
}
