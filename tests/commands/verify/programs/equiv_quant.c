/* expect: unsafe */
/*@ requires n >= 1; requires \valid(a + (0 .. n-1)); assigns \nothing; ensures \result == 1 <==> \forall integer i; 0 <= i < n ==> a[i] == 0; */
int f(int *a, int n) { return a[0] == 0; }
