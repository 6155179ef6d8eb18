/* expect: unsafe */
/*@ requires n >= 0; assigns \nothing; ensures \result == 5; */
int f(int n) { int i = 0;
 /*@ loop invariant i == 0; loop invariant n == \at(n, Pre); loop assigns i; */
 while (i < n) { i = 0; }
 return i == 0 ? 0 : 5; }
