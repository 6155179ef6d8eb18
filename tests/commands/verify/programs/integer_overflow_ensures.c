/* Arithmetic in ACSL has no bounds, and that of the function wraps.
   expect: unsafe */
/*@ assigns \nothing; ensures \result == x + 1; */
unsigned f(unsigned x) { return x + 1; }
