/* expect: unknown
   says: p and b may lead to the same memory */
/*@ requires n >= 4 && \valid(b + (0 .. n-1)); requires \valid(p); assigns b[0 .. n-1], *p; ensures *p == 1; */
void f(char *b, int n, int *p) { *p = 1; b[0] = 7; }
