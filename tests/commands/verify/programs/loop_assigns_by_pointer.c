/* A local is written through a pointer to it.
   expect: unsafe
   open: assigns */
/*@ requires n >= 0; assigns \nothing; */
int f(int n) {
  int last = 0, *p = &last;
  /*@ loop invariant 0 <= i <= n; loop assigns i; loop variant n - i; */
  for (int i = 0; i < n; i++) *p = i;
  return last;
}
