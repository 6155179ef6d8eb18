/* The local that a call writes is listed, and nothing else changes.
   expect: safe */
static void put(int *p, int value) { *p = value; }
/*@ requires n >= 0; assigns \nothing; ensures n > 0 ==> \result == n - 1; */
int f(int n) {
  int last = 0;
  /*@ loop invariant 0 <= i <= n; loop invariant i > 0 ==> last == i - 1; loop assigns i, last; loop variant n - i; */
  for (int i = 0; i < n; i++) put(&last, i);
  return last;
}
