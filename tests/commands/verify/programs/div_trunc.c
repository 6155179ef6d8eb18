/* expect: unsafe */
/*@ assigns \nothing; ensures 2 * \result == x || 2 * \result + 1 == x; */
int f(int x) { return x / 2; }
