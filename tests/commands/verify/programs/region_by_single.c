/* What the loop assigns is named by what it assigns.
   expect: unsafe
   open: assigns, ensures
   says: what a loop assigns depends on the elements of an array that it assigns */
/*@ requires n >= 6 && \valid(a + (0 .. n-1)) && \valid(b) && \separated(a + (0 .. n-1), b) && *b == 0;
  assigns a[0 .. n-1], *b; ensures a[3] == \old(a[3]); */
void f(int *a, int *b, int n) {
  /*@ loop invariant 0 <= i <= n && 0 <= *b <= i; loop assigns i, *b, a[0 .. *b]; loop variant n - i; */
  for (int i = 0; i < n; i++) { *b = i; a[i] = 1; }
}
