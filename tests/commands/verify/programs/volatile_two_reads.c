/* Somebody else may write what is volatile between two reads.
   expect: unknown
   open: ensures */
volatile int v;
/*@ assigns \nothing; ensures \result == 0; */
int f(void) {
  int a = v, b = v;
  return a == b ? 0 : 1;
}
