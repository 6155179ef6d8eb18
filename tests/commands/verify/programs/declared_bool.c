/* expect: safe */
/*@ assigns \nothing; ensures \result <==> (u > 3000000000 && !c); */
_Bool is(unsigned u, _Bool c);
/*@ assigns \nothing; ensures \result == 1; */
int f(void) { return is(4000000000u, 0); }
