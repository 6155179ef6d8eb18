/* expect: unsafe */
/*@ assigns \nothing; ensures \result == 1; */
int f(void) { static int calls; return ++calls; }
