/* expect: unsafe */
/*@ assigns \nothing; ensures \result == x; */
short f(unsigned short x) { return x; }
