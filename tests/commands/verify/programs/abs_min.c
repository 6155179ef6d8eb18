/* expect: unsafe */
/*@ assigns \nothing; ensures \result == \abs(x); */
int f(int x) { return x < 0 ? x : x; }
