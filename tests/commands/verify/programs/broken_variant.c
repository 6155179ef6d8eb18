/* The variant stays in every third turn.
   expect: unsafe
   open: variant */
/*@ requires 0 <= n <= 100; assigns \nothing; */
int f(int n) {
  int x = 0, skipped = 0;
  /*@ loop invariant 0 <= x <= n && 0 <= skipped <= 2; loop assigns x, skipped; loop variant n - x; */
  while (x < n) if (skipped == 2) skipped = 0; else x++, skipped++;
  return x;
}
