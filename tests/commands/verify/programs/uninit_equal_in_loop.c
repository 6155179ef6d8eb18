/* That two are equal does not make either known.
   expect: unsafe
   open: uninitialised
   options: --check memory,uninitialised */
/*@ assigns \nothing; ensures \result >= 0; */
int f(unsigned n) {
  unsigned x, y = x, i;
  /*@ loop invariant 0 <= i <= n; loop invariant x == y; loop assigns i, x, y; loop variant n - i; */
  for (i = 0; i < n; i++) { x++; y++; }
  return x ? 1 : 0;
}
