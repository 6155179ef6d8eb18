/* expect: unsafe */
/*@ assigns \nothing; ensures \result == \max(x, y); */
int f(int x, int y) { return x > y ? y : x; }
