/*@ requires 0 <= n <= 1000000; assigns \nothing; ensures \result == 2 * n; */
int two_counters(int n) { int i = 0, j = 0; for (i = 0; i < n; i++) j += 2; return j; }
