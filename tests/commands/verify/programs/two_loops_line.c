/* expect: unsafe */
/*@ requires 0 <= n <= 100; assigns \nothing; ensures \result == 2 * n + 1; */
int f(int n) { int i = 0, s = 0;
  /*@ loop invariant 0 <= i <= n && s == i; loop assigns i, s; */ while (i < n) { i++; s++; }
  /*@ loop invariant 0 <= i <= n && s == 2 * n - i; loop assigns i, s; */ while (i > 0) { i--; s++; }
  return s; }
