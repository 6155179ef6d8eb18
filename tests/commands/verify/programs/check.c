/* expect: unsafe */
/*@ requires x >= 0; assigns \nothing; ensures \result >= 0; */
int f(int x) { //@ check x > 0;
 return x; }
