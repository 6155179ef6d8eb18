/* expect: unsafe */
/*@ requires a > 0 && b > 0; assigns \nothing; ensures \result == 1; */
int f(unsigned a, unsigned b) { return a * b > 0; }
