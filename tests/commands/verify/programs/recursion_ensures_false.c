/* expect: unsafe */
/*@ requires n >= 0; decreases n; assigns \nothing; ensures \result == 42; */
int f(int n) { return f(n); }
