/*@ requires n >= 0; assigns \nothing; ensures \result == n; */
int count_up(int n) { int i = 0; while (i < n) i++; return i; }
