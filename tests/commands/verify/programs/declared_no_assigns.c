/* expect: unknown
   says: does not say what it assigns */
/*@ ensures \result == 1; */
int ext(void);
/*@ ensures \result == 1; */
int f(void) { return ext(); }
