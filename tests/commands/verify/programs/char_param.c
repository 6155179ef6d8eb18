/* No char is as large as what is required.
   expect: unknown
   says: no input meets what the contract requires: it says nothing */
/*@ requires c == 200; assigns \nothing; ensures \result == 1; */
int f(char c) { return 0; }
