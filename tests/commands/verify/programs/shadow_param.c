/* expect: unsafe */
int x;
/*@ requires x >= 0; assigns \nothing; ensures x >= 0; ensures \result >= 1; */
int f(int y) { int x = y; return x; }
