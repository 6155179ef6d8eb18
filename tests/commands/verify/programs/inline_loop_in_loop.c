/* expect: unsafe */
static int g;
static int count(int n) {
  int i = 0;
  /*@ loop invariant 0 <= i <= n; loop assigns i; loop variant n - i; */
  while (i < n) { i++; if (i == 7) return 7; }
  return i;
}
/*@ requires 0 <= n <= 100; assigns \nothing; ensures \result <= 7; */
int f(int n) { int s = 0; for (int k = 0; k < 3; k++) s += count(n); return s; }
