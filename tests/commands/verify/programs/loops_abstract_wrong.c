/* One turn fewer than is promised; a sum that is too small by one; an element that a loop without an invariant writes.

   expect: unsafe
   options: --loops abstract --max-time 20
   open: ensures
*/
/*@ requires n >= 0; assigns \nothing; ensures \result == n + 1; */
int count_up(int n) { int i = 0; while (i < n) i++; return i; }

/*@ requires 0 <= x <= 100 && 0 <= y <= 100; assigns \nothing; ensures \result == x + y + 1; */
int pos_sum(int x, int y) { while (x > 0) { y++; x--; } return y; }
