/* A counter that the head of a for declares is one of the loop's surroundings.
   expect: unsafe
   open: assigns */
/*@ requires n >= 0; assigns \nothing; */
void f(int n) {
  int last = 0;
  /*@ loop invariant 0 <= i <= n; loop assigns last; loop variant n - i; */
  for (int i = 0; i < n; i++) last = i;
}
