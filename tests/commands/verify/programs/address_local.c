/* expect: unsafe */
void set(int *p) { *p = 9; }
/*@ requires n >= 1; assigns \nothing; ensures \result == 0; */
int f(int n) {
  int x = 0;
  /*@ loop invariant 0 <= i <= n; loop assigns i; loop variant n - i; */
  for (int i = 0; i < n; i++) { set(&x); }
  return x;
}
