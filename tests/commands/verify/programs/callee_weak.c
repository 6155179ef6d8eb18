/* expect: unknown
   open: ensures */
/*@ requires \valid(p); assigns *p; ensures *p >= \old(*p); */
void inc(int *p) { if (*p < 100) ++*p; }
/*@ requires \valid(p) && *p == 0; assigns *p; ensures *p == 1; */
void f(int *p) { inc(p); }
