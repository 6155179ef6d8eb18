/* What the callee requires fails for one number, without any harm in the callee.
   expect: unsafe
   open: requires of h */
/*@ requires x != 41; assigns \nothing; ensures \result == x; */
int h(int x) { return x; }
/*@ assigns \nothing; ensures \result == x + 1; requires x < 1000; */
int f(int x) { return h(x + 1); }
