/* The inner loop leads the pointer back by another step.
   expect: unsafe */
/*@ requires n >= 0 && \valid(a + (0 .. 15)); assigns a[0 .. 15]; ensures \result % 4 == 0; */
long f(char *a, int n) {
  char *p = a;
  /*@ loop invariant 0 <= i <= n && a <= p && p <= a + 12; loop assigns i, p; loop variant n - i; */
  for (int i = 0; i < n; i++) {
    /*@ loop invariant 0 <= j <= 3 && a <= p && p <= a + 12; loop assigns j, p; loop variant 3 - j; */
    for (int j = 0; j < 3; j++) if (p + 4 <= a + 12) p += 4; else if (p >= a + 5) p -= 5;
  }
  return p - a;
}
