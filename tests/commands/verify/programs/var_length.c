/* expect: unsafe */
/*@ requires 1 <= n <= 10; assigns \nothing; ensures \result == 0; */
int f(int n) { int v[10];
  /*@ loop invariant 0 <= i <= n; loop assigns i, v[0 .. 9]; loop variant n - i; */
  for (int i = 0; i < n; i++) v[i] = i;
  return v[n - 1]; }
