/* expect: unsafe
   open: ensures */
/*@ requires n >= 1; requires \valid(a + (0 .. n-1)); requires !(\forall integer i; 0 <= i < n ==> a[i] == 0); assigns \nothing; ensures \result == 1; */
int f(int *a, int n) { return a[0] != 0; }
