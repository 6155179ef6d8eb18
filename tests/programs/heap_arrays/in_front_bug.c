/* Pointers lead to the start of an array: what lies in front of it is out of bounds, whatever its length.
   expect: unsafe
   options: --function last --max-size 64
   native: none (a function that is run alone) */
int last(const int *a, int n) {
  if (a == 0 || n > 8) return 0;
  return a[n - 1]; /* BUG: out-of-bounds */
}
