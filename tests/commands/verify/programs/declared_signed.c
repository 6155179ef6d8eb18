/* expect: unknown
   open: ensures */
/*@ assigns \nothing; */
signed char next(void);
/*@ assigns \nothing; ensures \result >= 0; */
int f(void) { return next(); }
