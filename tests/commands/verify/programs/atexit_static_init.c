/* expect: unsafe */
static int calls;
static int next(void) { return calls++; }
/*@ assigns calls; ensures \result == 0; */
int f(void) { return next(); }
