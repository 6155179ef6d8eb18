/* Nobody knows where the pointers in an array of any length lead.
   expect: unknown */
/*@ requires n > 0 && \valid(rows + (0 .. n-1)) && \forall integer i; 0 <= i < n ==> \valid(rows[i]); assigns \nothing; ensures \result == 5; */
int f(int **rows, int n) { *rows[0] = 1; return 4; }
