/* expect: unsafe */
void step(int *p) { *p += 2; }
/*@ requires 0 <= n <= 1000; assigns \nothing; ensures \result == n; */
int f(int n) {
  int i = 0;
  /*@ loop invariant 0 <= i; loop assigns i; */
  while (i < n) { step(&i); }
  return i;
}
