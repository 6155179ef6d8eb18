/* The counter of an inner loop is the outer one's own; the inner loop must list it.
   expect: unsafe
   open: assigns */
/*@ requires 0 <= n <= 10; assigns \nothing; */
void f(int n) {
  /*@ loop invariant 0 <= i <= n; loop assigns i; loop variant n - i; */
  for (int i = 0; i < n; i++)
    /*@ loop invariant 0 <= j <= n; loop assigns \nothing; loop variant n - j; */
    for (int j = 0; j < n; j++) ;
}
