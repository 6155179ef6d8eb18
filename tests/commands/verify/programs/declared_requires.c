/* expect: unsafe
   open: requires of ext */
/*@ requires x < 100; assigns \nothing; ensures \result >= x; */
int ext(int x);
/*@ requires x < 500; assigns \nothing; */
int f(int x) { return ext(x); }
