/* expect: unknown */
int ext(int x);
/*@ assigns \nothing; ensures \result == 0; */
int f(int x) { return ext(x); }
