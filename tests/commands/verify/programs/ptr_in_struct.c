/* The second turn leads a pointer in a struct to another alignment.
   expect: unsafe */
struct it { char *p; int n; };
/*@ requires n >= 0 && \valid(a + (0 .. 15)); assigns \nothing; ensures \result % 4 == 0; */
long f(char *a, int n) {
  struct it s; s.p = a; s.n = 0; char *q = a + 4, *r = a + 3;
  /*@ loop invariant 0 <= i <= n && a <= s.p && s.p <= a + 12 && a <= q && q <= a + 12; loop assigns i, s.p, q; loop variant n - i; */
  for (int i = 0; i < n; i++) { s.p = q; q = r; }
  return s.p - a;
}
