/* expect: unsafe
   One element is never counted. */
/*@ logic integer Count{L}(int *a, integer n, int value) =
      n <= 0 ? 0 : Count{L}(a, n - 1, value) + (a[n-1] == value ? 1 : 0); */
/*@ requires n >= 0 && \valid_read(a + (0 .. n-1));
    assigns \nothing;
    ensures \result == Count(a, n, value); */
int count(const int *a, int n, int value) {
  int counted = 0;
  /*@ loop invariant 0 <= i <= n && 0 <= counted <= i;
      loop invariant counted == Count(a, i, value);
      loop assigns i, counted;
      loop variant n - i; */
  for (int i = 0; i < n; i++)
    if (a[i] == value && i != 2)
      counted++;
  return counted;
}
