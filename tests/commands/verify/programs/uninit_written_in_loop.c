/* An invariant says when it is written.
   expect: safe
   options: --check memory,uninitialised */
/*@ requires n >= 5; assigns \nothing; ensures \result == 1; */
int f(int n) {
  int x, i;
  /*@ loop invariant 0 <= i <= n; loop invariant i > 4 ==> x == 1; loop assigns i, x; loop variant n - i; */
  for (i = 0; i < n; i++) if (i == 4) x = 1;
  return x ? 1 : 0;
}
