/* expect: unsafe
   open: ensures */
/*@ assigns \nothing; ensures \result == sizeof(int) * 2; */
int f(void) { return sizeof(long) + 1; }
