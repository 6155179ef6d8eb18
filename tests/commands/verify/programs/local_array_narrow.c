/* The loop writes more of a local than it lists.
   expect: unsafe */
/*@ requires 3 <= n <= 10; assigns \nothing; ensures \result == 0; */
int f(int n) { int v[10] = { 0 };
  /*@ loop invariant 0 <= i <= n; loop assigns i, v[0 .. 0]; loop variant n - i; */
  for (int i = 0; i < n; i++) v[i] = i;
  return v[1]; }
