/* A function without a branch is over before it has stepped.
   expect: unsafe
   open: ensures */
/*@ assigns \nothing; ensures \result == 1; */
int f(void) { return 2; }
