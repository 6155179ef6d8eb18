/* expect: unsafe */
int limit = 10;
/*@ assigns \nothing; ensures \result == 10; */
int f(void) { return limit; }
