/* expect: safe */
/*@ assigns \nothing; ensures \result != 7; */
unsigned char next(void);
/*@ assigns \nothing; ensures 0 <= \result <= 255 && \result != 7; */
int f(void) { return next(); }
