/*@ requires n >= 0; assigns \nothing; ensures \result >= 0; */
long sum_of(int n) { long s = 0; for (int i = 0; i < n; i++) s += i; return s; }
