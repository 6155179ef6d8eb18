/* expect: unsafe */
/*@ requires \valid(a); assigns \nothing; ensures \result == *a; */
unsigned char f(signed char *a) { return *a; }
