/* What the loop assigns is named by an element that it assigns.
   expect: unsafe
   says: what a loop assigns depends on the elements of an array that it assigns */
/*@ requires n >= 6 && \valid(a + (0 .. n-1)) && \valid(b + (0 .. n-1)) && \separated(a + (0 .. n-1), b + (0 .. n-1)) && b[0] == 0;
  assigns a[0 .. n-1], b[0]; ensures a[3] == \old(a[3]); */
void f(int *a, int *b, int n) {
  /*@ loop invariant 0 <= i <= n && 0 <= b[0] <= i; loop assigns i, b[0], a[0 .. b[0]]; loop variant n - i; */
  for (int i = 0; i < n; i++) { b[0] = i; a[i] = 1; }
}
