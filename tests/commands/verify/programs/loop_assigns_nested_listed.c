/* The counter of an inner loop is the outer one's own, which need not list it.
   expect: safe */
/*@ requires 0 <= n <= 10; assigns \nothing; */
void f(int n) {
  /*@ loop invariant 0 <= i <= n; loop assigns i; loop variant n - i; */
  for (int i = 0; i < n; i++)
    /*@ loop invariant 0 <= j <= n; loop assigns j; loop variant n - j; */
    for (int j = 0; j < n; j++) ;
}
