/* expect: unsafe */
/*@ assigns \nothing; ensures \exists unsigned k; k == x; */
int f(int x) { return 0; }
