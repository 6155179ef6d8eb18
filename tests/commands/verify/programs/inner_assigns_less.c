/* The inner loop assigns a variable that neither loop lists.
   expect: unsafe */
int g;
/*@ requires 0 <= n <= 100 && g == 0; assigns g; ensures g == 0; */
void f(int n) {
  /*@ loop invariant 0 <= i <= n && g == 0; loop assigns i; loop variant n - i; */
  for (int i = 0; i < n; i++) {
    /*@ loop invariant 0 <= j <= 2; loop assigns j; loop variant 2 - j; */
    for (int j = 0; j < 2; j++) g = j;
  }
}
