/* A loop with an invariant in one without: it is entered three times, and left in the middle.
   expect: unsafe */
/*@ requires 0 <= n <= 50; assigns \nothing; ensures \result == 0; */
int f(int n) { int s = 0;
  for (int r = 0; r < 3; r++) {
    /*@ loop invariant 0 <= i <= n; loop assigns i; loop variant n - i; */
    for (int i = 0; i < n; i++) { if (i == r + 1) { s = 1; break; } }
  }
  return s; }
