/* expect: unsafe */
/*@ assigns \nothing; ensures \result == x + 1; */
int one(int x) { return x + 1; }
/*@ requires x < 5; assigns \nothing; ensures \result >= x; */
int two(int x) { return x + 2; }
/*@ requires 0 <= x <= 10; assigns \nothing; ensures \result >= x; */
int f(int x) { int (*p)(int) = x > 3 ? two : one; return p(x); }
