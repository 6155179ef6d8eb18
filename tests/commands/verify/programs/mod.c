/* expect: unsafe */
/*@ requires n > 0; assigns \nothing; ensures 0 <= \result < n; */
int f(int x, int n) { return x % n; }
