/* expect: unsafe */
/*@ assigns \nothing; ensures \result == x; */
static int g(int x) { return x > 5 ? 6 : x; }
/*@ assigns \nothing; ensures \result == x; */
int f(int x) { return x; }
