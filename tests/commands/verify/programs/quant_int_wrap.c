/* The contract is right but for the number that is returned.
   expect: unsafe */
/*@ requires n >= 1 && \valid(a + (0 .. n-1)); assigns \nothing; ensures \forall int k; k + 1 > k; ensures \result == 1; */
int f(int *a, int n) { return n > 1; }
