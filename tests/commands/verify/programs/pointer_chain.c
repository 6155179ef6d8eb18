/* Only the third turn leads the pointer to the element that is said to stay.
   expect: unsafe */
/*@ requires \valid(a + (0 .. 15)); requires 0 <= n; assigns a[0 .. 15]; ensures a[2] == \old(a[2]); */
void f(char *a, int n) {
  char *p = a, *q = a + 4, *r = a + 8, *s = a + 2;
  /*@ loop invariant 0 <= i <= n && a <= p && p <= a + 12 && a <= q && q <= a + 12 && a <= r && r <= a + 12;
      loop assigns i, p, q, r; loop variant n - i; */
  for (int i = 0; i < n; i++) { p = q; q = r; r = s; }
  *p = 'x';
}
