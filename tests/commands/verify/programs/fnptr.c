/* expect: unsafe */
static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }
/*@ requires 0 <= x <= 10; assigns \nothing; ensures \result == x + 1; */
int f(int x) { int (*p)(int) = x > 3 ? one : two; return p(x); }
