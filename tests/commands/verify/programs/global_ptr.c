/* expect: unsafe */
int *gp;
/*@ requires \valid(gp); requires \valid(p); assigns *gp, *p; ensures *p == 1; */
void f(int *p) { *p = 1; *gp = 2; }
