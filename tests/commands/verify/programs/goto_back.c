/* A loop is entered again from within itself.
   expect: unsafe */
/*@ requires 0 <= n <= 100; assigns \nothing; ensures \result == n; */
int f(int n) { int i = 0, r = 0;
again: i = 0;
  /*@ loop invariant 0 <= i <= n; loop assigns i; loop variant n - i; */
  while (i < n) { i++; if (i == 50 && !r) { r = 1; goto again; } }
  return i + r; }
