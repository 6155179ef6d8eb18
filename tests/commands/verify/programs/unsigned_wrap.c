/* expect: unsafe */
/*@ requires \valid(a + (0 .. 9)); assigns \nothing; ensures \result == 0; */
unsigned f(unsigned *a, unsigned n) { unsigned m = n - 1; return m < n ? 0 : m; }
