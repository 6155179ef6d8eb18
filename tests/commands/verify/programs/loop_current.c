/* expect: unsafe */
/*@ requires 0 <= n <= 100; assigns \nothing; ensures \result == 0; */
int f(int n) { int s = 0;
  /*@ loop invariant 0 <= i <= n; loop invariant s == \at(s, LoopCurrent); loop assigns i, s; loop variant n - i; */
  for (int i = 0; i < n; i++) s++;
  return s; }
