/* What a turn copies from a variable that nobody wrote is not written either.
   expect: unsafe
   open: uninitialised
   options: --check memory,uninitialised */
int g;
/*@ requires n >= 6; assigns g; ensures \result >= 0; */
int f(int n) {
  int x, i;
  g = 0;
  /*@ loop invariant 0 <= i <= n; loop assigns i, g; loop variant n - i; */
  for (i = 0; i < n; i++) if (i == 4) g = x;
  return g ? 1 : 0;
}
