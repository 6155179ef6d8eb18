/* A function without a contract writes a local that it gets the address of.
   expect: unsafe
   open: assigns */
static void put(int *p, int value) { *p = value; }
/*@ requires n >= 0; assigns \nothing; */
int f(int n) {
  int last = 0;
  /*@ loop invariant 0 <= i <= n; loop assigns i; loop variant n - i; */
  for (int i = 0; i < n; i++) put(&last, i);
  return last;
}
