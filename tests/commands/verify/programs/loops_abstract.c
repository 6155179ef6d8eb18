/* Loops that count, without invariants.

   expect: safe
   options: --loops abstract
*/
/*@ requires n >= 0; assigns \nothing; ensures \result == n; */
int count_up(int n) { int i = 0; while (i < n) i++; return i; }

/*@ requires 0 <= n <= 1000000; assigns \nothing; ensures \result == 2 * n; */
int two_counters(int n) { int i, j = 0; for (i = 0; i < n; i++) j += 2; return j; }

/*@ requires 0 <= x <= 1000000 && 0 <= y <= 1000000; assigns \nothing; ensures \result == x + y; */
int pos_sum(int x, int y) { while (x > 0) { y++; x--; } return y; }

/*@ requires n >= 0; assigns \nothing; ensures 0 <= \result < 3; */
int by_three(int n) { while (n >= 3) n -= 3; return n; }

/*@ requires low <= high; assigns \nothing; ensures low <= \result <= high; */
int meet(int low, int high) { while (low < high) { low++; if (low < high) high--; } return low; }

/*@ requires a >= 0 && b > 0; assigns \nothing; ensures 0 <= \result < b; */
int remainder_of(int a, int b) { while (a >= b) a -= b; return a; }
