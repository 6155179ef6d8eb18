/*@ requires a >= 0 && b > 0; assigns \nothing; ensures 0 <= \result < b; */
int remainder_of(int a, int b) { while (a >= b) a -= b; return a; }
