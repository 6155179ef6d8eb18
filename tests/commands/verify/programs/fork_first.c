/* expect: unsafe */
int choose(int x) { return x > 3 ? 1 : 2; }
/*@ requires 0 <= n <= 100; assigns \nothing; ensures \result <= n; */
int f(int n) { int i = 0, s = 0;
  /*@ loop invariant 0 <= i; loop invariant s <= 2 * i + 2; loop assigns i, s; */
  while (choose(i) == 2 ? i < n : i + 1 < n) { s += choose(i); i++; }
  return s; }
