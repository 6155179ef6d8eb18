/* expect: unsafe */
/*@ requires n >= 0; assigns \nothing; ensures \result == 0; */
int f(int *p, int n) { return *p; }
