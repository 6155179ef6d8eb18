/* Not even what was just written is known.
   expect: unknown
   open: ensures */
/*@ requires \valid(p); assigns *p; ensures \result == 1; */
int f(volatile int *p) {
  *p = 1;
  return *p;
}
