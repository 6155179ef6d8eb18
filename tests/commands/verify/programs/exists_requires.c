/* expect: unsafe */
/*@ requires n >= 1; requires \valid(a + (0 .. n-1)); requires \exists integer k; 0 <= k < n && a[k] == 0; assigns \nothing; ensures \result == 0; */
int f(int *a, int n) { return a[0]; }
