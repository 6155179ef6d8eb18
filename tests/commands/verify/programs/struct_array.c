/* expect: unsafe */
struct s { int key; char tag; };
/*@ requires n >= 1; requires \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures a[0].tag == \old(a[0].tag); */
void f(struct s *a, int n) {
  /*@ loop invariant 0 <= i <= n; loop invariant \forall integer k; 0 <= k < i ==> a[k].key == 0; loop assigns i, a[0 .. n-1]; loop variant n - i; */
  for (int i = 0; i < n; i++) { a[i].key = 0; a[i].tag = 0; }
}
