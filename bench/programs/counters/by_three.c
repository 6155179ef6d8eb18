/*@ requires n >= 0; assigns \nothing; ensures 0 <= \result < 3; */
int by_three(int n) { while (n >= 3) n -= 3; return n; }
