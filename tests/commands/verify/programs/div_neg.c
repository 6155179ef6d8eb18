/* expect: unsafe */
/*@ requires n != 0; assigns \nothing; ensures \result * n <= x; */
int f(int x, int n) { if (x == -2147483647 - 1 && n == -1) return 0; return x / n; }
