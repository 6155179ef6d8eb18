/* expect: unsafe */
/*@ assigns \nothing; ensures \let y = x + 1; \result == y; */
int f(int x) { int y = x; return y; }
