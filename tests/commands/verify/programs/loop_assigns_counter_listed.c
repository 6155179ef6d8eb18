/* What the loop declares is its own, and need not be listed.
   expect: safe */
/*@ requires n >= 0; requires \valid_read(a + (0 .. n-1)); assigns \nothing; ensures 0 <= \result <= n; */
int f(const int *a, int n) {
  int count = 0;
  /*@ loop invariant 0 <= count <= i <= n; loop assigns i, count; loop variant n - i; */
  for (int i = 0; i < n; i++) {
    int element = a[i], both[2] = {element, 0};
    both[1] = both[0] > 3;
    if (both[1]) count++;
  }
  return count;
}
