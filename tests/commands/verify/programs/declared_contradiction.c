/* expect: unknown
   open: contradiction */
/*@ assigns \nothing; ensures \result < x && \result > x; */
int ext(int x);
/*@ assigns \nothing; ensures \result == 3; */
int f(int x) { return ext(x); }
