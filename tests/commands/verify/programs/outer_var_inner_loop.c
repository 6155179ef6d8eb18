/* expect: unsafe */
/*@ requires 0 <= n <= 100; assigns \nothing; ensures \result == n; */
int f(int n) { int t = 0;
  /*@ loop invariant 0 <= i <= n && t == i; loop assigns i, t; loop variant n - i; */
  for (int i = 0; i < n; i++) {
    /*@ loop invariant 0 <= j <= 2; loop assigns j, t; loop variant 2 - j; */
    for (int j = 0; j < 2; j++) t++;
  }
  return t; }
