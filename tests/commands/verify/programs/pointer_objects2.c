/* expect: unsafe */
/*@ requires n >= 0 && \valid(a) && \valid(b) && \separated(a, b); assigns *a, *b; ensures *b == \old(*b); */
void f(int *a, int *b, int n) {
  int *p = a, *q = a, *r = a;
  /*@ loop invariant 0 <= i <= n && p == a; loop assigns i, p, q, r; loop variant n - i; */
  for (int i = 0; i < n; i++) { p = q; q = r; if (i == 3) r = b; }
  *p = 1;
}
