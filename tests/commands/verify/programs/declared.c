/* expect: safe
   assumes: the contract of ext */
/*@ requires x < 100; assigns \nothing; ensures \result >= x; */
int ext(int x);
/*@ requires x < 50; assigns \nothing; ensures \result >= x; */
int f(int x) { return ext(x); }
