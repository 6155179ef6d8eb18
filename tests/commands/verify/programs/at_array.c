/* An array of an earlier state, in ACSL.
   expect: unsafe
   open: ensures
*/
int table[4];

/*@ assigns table[2];
    ensures \at(table, Pre)[2] == table[2]; */
void set(void) { table[2] = 5; }
