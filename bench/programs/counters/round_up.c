/*@ requires n >= 0 && n < 2147483640; assigns \nothing; ensures \result >= n && \result % 8 == 0; */
int round_up(int n) { while (n % 8 != 0) n++; return n; }
