/* expect: unsafe */
/*@ requires 0 <= n; assigns \nothing; ensures \result == x << n; */
int f(int x, int n) { return x << n; }
