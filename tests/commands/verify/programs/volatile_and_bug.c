/* A bug that needs no value of what is volatile.
   expect: unsafe
   open: ensures */
volatile int v;
/*@ assigns \nothing; ensures \result >= 0; */
int f(int n) {
  int a = v;
  (void)a;
  return n;
}
