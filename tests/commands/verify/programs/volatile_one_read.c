/* expect: safe */
volatile int v;
/*@ assigns \nothing; ensures \result == 0; */
int f(void) {
  int a = v;
  return a == a ? 0 : 1;
}
