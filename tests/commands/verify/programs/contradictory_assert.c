/* expect: unsafe */
/*@ requires n >= 0; assigns \nothing; ensures \result == 1; */
int f(int n) { /*@ assert n < 0; */ return 2; }
