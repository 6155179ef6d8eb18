/* expect: unsafe */
int f0(void) { static int calls; if (calls > 100) calls = 0; return ++calls; }
/*@ assigns \nothing; ensures \result == 1; */
int f(void) { return f0(); }
