/* expect: unsafe */
static void run(int *x, int n) {
  /*@ loop invariant 0 <= i; loop assigns i; */
  for (int i = 0; i < n; i++) { *x += 1; if (*x > 100) return; }
}
/*@ requires 0 <= n <= 10; assigns \nothing; ensures \result == 0; */
int f(int n) { int x = 0; run(&x, n); return x; }
