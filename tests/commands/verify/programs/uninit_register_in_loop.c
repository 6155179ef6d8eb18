/* The same of what is in a register, which only one turn writes.
   expect: unsafe
   open: uninitialised
   options: --check memory,uninitialised --optimize 1 */
/*@ requires n >= 4; assigns \nothing; ensures \result >= 0; */
int f(int n) {
  int x, i;
  /*@ loop invariant 0 <= i <= n; loop variant n - i; */
  for (i = 0; i < n; i++) if (i == 4) x = 1;
  return x ? 1 : 0;
}
