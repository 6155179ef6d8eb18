/* expect: safe
   assumes: the contract of two */
/*@ requires x < 9; assigns \nothing; ensures \result >= x; */
int one(int x);
/*@ requires x < 5; assigns \nothing; ensures \result >= x; */
int two(int x);
/*@ requires x <= 6; assigns \nothing; ensures \result >= x; */
int f(int x) { int (*p)(int) = x > 3 ? one : two; return p(x); }
