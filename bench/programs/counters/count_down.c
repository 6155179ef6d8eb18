/*@ requires n >= 0; assigns \nothing; ensures \result == 0; */
int count_down(int n) { while (n > 0) n--; return n; }
