/* expect: unknown
   open: invariant kept */
volatile int status;
/*@ requires n >= 0; assigns \nothing; ensures \result == 0 || \result == n; */
int f(int n) {
  int c = 0, i;
  /*@ loop invariant 0 <= i <= n && (c == 0 || c == i); loop assigns i, c; loop variant n - i; */
  for (i = 0; i < n; i++) if (status & 1) c++;
  return c;
}
