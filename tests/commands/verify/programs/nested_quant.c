/* expect: unsafe */
/*@ requires n >= 1; requires \valid(a + (0 .. n-1)); assigns a[0]; ensures \forall integer i; 0 <= i < n ==> \exists integer j; 0 <= j < n && j != i && a[j] == a[i]; */
void f(int *a, int n) { a[0] = 1; }
