/* expect: unsafe
   open: assigns */
int g;
/*@ requires n >= 1; assigns \nothing; ensures \result == n; */
int f(int n) { g = 3; return n; }
