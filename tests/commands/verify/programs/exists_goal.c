/* expect: unsafe */
/*@ requires n >= 1; requires \valid(a + (0 .. n-1)); assigns \nothing; ensures \exists integer i; 0 <= i < n && a[i] == \result; */
int f(int *a, int n) { return a[0] + (n > 3); }
