/* The fourth turn makes the pointer null.
   expect: unsafe
   says: leads to no known object */
/*@ requires n >= 0 && \valid(a); assigns \nothing; ensures \result == 1; */
int f(int *a, int n) {
  int *p = a;
  /*@ loop invariant 0 <= i <= n; loop assigns i, p; loop variant n - i; */
  for (int i = 0; i < n; i++) { if (i == 3) p = 0; }
  return p != 0;
}
