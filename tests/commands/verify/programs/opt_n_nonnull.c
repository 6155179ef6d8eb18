/* expect: unsafe */
/*@ requires n > 0 ==> \valid(p + (0 .. n-1)); assigns \nothing; ensures \result == 0; */
int f(int *p, int n) { if (n > 0) return 0; return p[n]; }
