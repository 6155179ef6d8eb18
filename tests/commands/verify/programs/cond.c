/* expect: unsafe */
/*@ assigns \nothing; ensures \result == (x > 0 ? 1 : 2); */
int f(int x) { return x >= 0 ? 1 : 2; }
