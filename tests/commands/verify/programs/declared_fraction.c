/* expect: unknown
   says: a value of type double */
/*@ assigns \nothing; */
int ext(double x);
/*@ assigns \nothing; */
int f(void) { return ext(1.5); }
