/* expect: unknown
   open: ensures */
/*@ requires \valid(p); assigns *p; ensures *p >= \old(*p); */
void inc(int *p) { if (*p < 100) ++*p; }
/*@ assigns \nothing; ensures \result == 1; */
int f(void) { int x = 0; inc(&x); return x; }
