/* expect: unsafe */
/*@ requires n >= 0 && n < 100; assigns \nothing; ensures \result == n; */
int f(int n) { n = n + 1; return n; }
