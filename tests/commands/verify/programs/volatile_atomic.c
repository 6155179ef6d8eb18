/* Nor what is changed in one go.
   expect: unknown
   open: ensures */
volatile _Atomic int v;
/*@ assigns v; ensures \result == 1; */
int f(void) {
  v = 0;
  v++;
  return v++;
}
