/* expect: unsafe */
/*@ requires n >= 0 && \valid(a) && \valid(b) && \separated(a, b); assigns *a, *b; ensures *b == \old(*b); */
void f(int *a, int *b, int n) {
  int *p = a;
  /*@ loop invariant 0 <= i <= n; loop assigns i, p; loop variant n - i; */
  for (int i = 0; i < n; i++) { if (i == 3) p = b; }
  *p = 1;
}
